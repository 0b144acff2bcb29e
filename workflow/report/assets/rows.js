// Small builders of the page's own elements; texts are always set as texts, never as markup.
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") made.className = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

function number(value, digits, sign) {
  if (value === null || value === undefined) return wordsOf.formats.missing;
  if (typeof value !== "number") return String(value);
  let text = Math.abs(value).toFixed(digits);
  const zero = Number(text) === 0;
  text = text.replace(".", wordsOf.formats.decimal);
  if (value < 0 && !zero) return `−${text}`;
  return sign && !zero ? `+${text}` : text;
}

// An answer with its mark: "1|Llama" right, "0|DeepSeek" wrong, "-|abstained" neither.
function marked(value) {
  if (value === null || value === undefined) return element("span", {}, wordsOf.formats.missing);
  const cut = value.indexOf("|");
  const [state, text] = [value.slice(0, cut), value.slice(cut + 1)];
  const name = { 1: "right", 0: "wrong", "-": "neither" }[state];
  const sign = { 1: "✓", 0: "✗", "-": "·" }[state];
  return element(
    "span",
    { class: `mark ${name}` },
    element("span", { class: "sign", "aria-hidden": "true" }, sign),
    element("span", { class: "hidden" }, `${wordsOf.drill[name]}: `),
    text,
  );
}

function cellOf(value, kind) {
  if (kind === "mark") return element("td", {}, marked(value));
  if (kind === "signed" || kind === "number") {
    return element("td", { class: "n" }, number(value, 3, kind === "signed"));
  }
  if (kind === "int") return element("td", { class: "n" }, number(value, 0, false));
  const text = value === null || value === undefined ? wordsOf.formats.missing : String(value);
  return element("td", kind === "quote" ? { class: "quote" } : {}, text);
}

function headOf(columns) {
  const numeric = ["number", "signed", "int"];
  return element(
    "thead",
    {},
    element(
      "tr",
      {},
      ...columns.map(([, label, kind]) =>
        element("th", { scope: "col", class: numeric.includes(kind) ? "n" : "" }, label),
      ),
    ),
  );
}

function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, key) => (key in values ? values[key] : whole));
}

// A list in pages of `size`: `draw(slice)` makes a page's element; `at` is the page to begin with.
function paged(rows, size, draw, at = 0) {
  const box = element("div", { class: "paged" });
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const show = (page, focus) => {
    const from = page * size;
    const shown = rows.slice(from, from + size);
    box.replaceChildren(draw(shown));
    if (pages === 1) return;
    const turn = (label, to, ok) =>
      element("button", { type: "button", disabled: !ok, onclick: () => show(to, label) }, label);
    const where = fill(wordsOf.drill.shown, {
      from: from + 1,
      to: from + shown.length,
      all: rows.length,
    });
    const pager = element(
      "p",
      { class: "pager" },
      turn(wordsOf.drill.previous, page - 1, page > 0),
      element("span", { role: "status" }, where),
      turn(wordsOf.drill.next, page + 1, page < pages - 1),
    );
    box.append(pager);
    if (focus) {
      const buttons = [...pager.querySelectorAll("button")];
      (buttons.find((b) => b.textContent === focus && !b.disabled) || buttons.find((b) => !b.disabled))?.focus();
    }
  };
  show(at);
  return box;
}
