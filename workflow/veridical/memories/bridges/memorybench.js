// Bridge to the provider classes of memorybench: memory protocol 1 on standard input and output.
//
//   node workflow/veridical/memories/bridges/memorybench.js path/to/provider.js Class '{}'
//
// Such a class has initialize(config), ingest(sessions, {containerTag}), awaitIndexing(result,
// containerTag), search(query, {containerTag, limit}) and clear(containerTag). It is imported from
// where it lies when the system starts (a provider in TypeScript under a Node that strips types, or
// compiled first), and nothing of it is copied here. A bank is a container; an event is a session.
"use strict";

const path = require("node:path");
const readline = require("node:readline");
const { pathToFileURL } = require("node:url");

const [file, name, config = "{}"] = process.argv.slice(2);
const pending = new Map(); // what has been ingested and not yet been waited for, by bank

// What a class prints is no reply: standard output holds one JSON object a line.
for (const way of ["log", "info", "debug", "warn"]) console[way] = console.error;

async function open() {
  const module = await import(pathToFileURL(path.resolve(file)).href);
  const found = name === "default" ? module.default : module[name];
  if (typeof found !== "function") throw new Error(`${file} exports no class ${name}`);
  const provider = new found();
  await provider.initialize(JSON.parse(config));
  return provider;
}

function text(found) {
  if (typeof found === "string") return found;
  for (const key of ["content", "text", "memory", "chunk", "summary"]) {
    if (typeof found?.[key] === "string") return found[key];
  }
  return JSON.stringify(found);
}

function item(found) {
  const score = typeof found?.score === "number" ? { score: found.score } : {};
  return { text: text(found), ...score };
}

function session(event) {
  const message = { role: "user", content: event.text, speaker: event.speaker, timestamp: event.at };
  return { sessionId: event.id, messages: [message], metadata: { date: event.at } };
}

function needed(asked, ...names) {
  for (const name of names) {
    if (asked[name] === undefined || asked[name] === "") throw new Error(`${asked.verb} needs ${name}`);
  }
}

const verbs = {
  describe: (provider) => ({ protocol: 1, name: provider.name ?? name, version: provider.version ?? "unversioned" }),
  reset: async (provider, { bank }) => {
    pending.delete(bank);
    await provider.clear(bank);
    return {};
  },
  ingest: async (provider, { bank, events }) => {
    const result = await provider.ingest(events.map(session), { containerTag: bank });
    pending.set(bank, [...(pending.get(bank) ?? []), result]);
    return { accepted: events.length };
  },
  settle: async (provider, { bank }) => {
    for (const result of pending.get(bank) ?? []) await provider.awaitIndexing(result, bank);
    pending.delete(bank);
    return { ready: true };
  },
  recall: async (provider, { bank, query, k }) => {
    const found = await provider.search(query, { containerTag: bank, limit: k });
    return { items: found.slice(0, k).map(item) };
  },
  usage: () => ({}),
  close: () => ({}),
};
const NEEDS = { reset: ["bank"], ingest: ["bank", "events"], settle: ["bank"], recall: ["bank", "query", "k"] };

async function main() {
  const provider = await open();
  for await (const line of readline.createInterface({ input: process.stdin })) {
    let reply;
    let verb;
    try {
      const asked = JSON.parse(line);
      verb = asked.verb;
      if (!Object.hasOwn(verbs, verb)) throw new Error(`no verb of memory protocol 1: ${verb}`);
      needed(asked, ...(NEEDS[verb] ?? []));
      reply = await verbs[verb](provider, asked);
    } catch (error) {
      reply = { error: `${error.name}: ${error.message}` };
    }
    process.stdout.write(`${JSON.stringify(reply)}\n`);
    if (verb === "close") break;
  }
  process.exit(0);
}

main().catch((error) => {
  console.error(`${error.name}: ${error.message}`);
  process.exit(1);
});
