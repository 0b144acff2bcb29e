// A provider of the memorybench shape, of our own writing: sessions ranked by the words they share.

const words = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

export class Notes {
  name = "shared words";
  version = "2.0";

  async initialize(config) {
    this.least = config.least ?? 1;
    this.containers = new Map();
    this.waiting = new Map();
    console.log("a provider may print what it likes");
  }

  async ingest(sessions, { containerTag }) {
    const waiting = this.waiting.get(containerTag) ?? [];
    this.waiting.set(containerTag, [...waiting, ...sessions]);
    return { documentIds: sessions.map((session) => session.sessionId) };
  }

  async awaitIndexing(result, containerTag) {
    const waiting = this.waiting.get(containerTag) ?? [];
    const ready = waiting.filter((session) => result.documentIds.includes(session.sessionId));
    this.containers.set(containerTag, [...(this.containers.get(containerTag) ?? []), ...ready]);
    this.waiting.set(containerTag, waiting.filter((session) => !ready.includes(session)));
  }

  async search(query, { containerTag }) {
    if (query === "fail") throw new RangeError("no such query");
    const wanted = words(query);
    return (this.containers.get(containerTag) ?? [])
      .map(({ messages }) => ({ content: messages[0].content, score: [...words(messages[0].content)].filter((w) => wanted.has(w)).length }))
      .filter(({ score }) => score >= this.least)
      .sort((a, b) => b.score - a.score);
  }

  async clear(containerTag) {
    this.containers.delete(containerTag);
    this.waiting.delete(containerTag);
  }
}
