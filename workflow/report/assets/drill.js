// Look inside: a group's rows, page by page; an opened row shows what it came from.
const PAGE = 50;

function hashOf(...path) {
  return `#${path.map((step) => encodeURIComponent(step).replaceAll("%3A", ":")).join("/")}`;
}

function nestedTable(data, nested, rowIndex, where) {
  const rows = data.tables.rows;
  const table = data.tables[nested.table];
  const wanted = { ...where };
  for (const name of nested.on) wanted[name] = rows.get(name, rowIndex);
  const found = table.rows(wanted);
  if (!found.length) return null;
  const columns = nested.columns.filter(([name]) => table.has(name));
  const draw = (shown) =>
    element(
      "div",
      { class: "scroll", role: "region", tabindex: "0", "aria-label": nested.label },
      element(
        "table",
        {},
        headOf(columns),
        element(
          "tbody",
          {},
          ...shown.map((row) =>
            element(
              "tr",
              {},
              ...columns.map(([name, label, kind]) => {
                const cell = cellOf(table.get(name, row), kind);
                cell.dataset.label = label;
                return cell;
              }),
            ),
          ),
        ),
      ),
    );
  return element("div", { class: "nested" }, element("h5", {}, nested.label), paged(found, PAGE, draw));
}

function openedRow(data, group, rowIndex, width) {
  const rows = data.tables.rows;
  const texts = data.details
    .map(([name, label]) => [label, rows.get(name, rowIndex)])
    .filter(([, text]) => text !== null && text !== "");
  const cell = element("td", { colspan: width });
  if (texts.length) {
    cell.append(
      element(
        "dl",
        { class: "texts" },
        ...texts.flatMap(([label, text]) => [element("dt", {}, label), element("dd", {}, String(text))]),
      ),
    );
  }
  for (const nested of data.nested) {
    const made = nestedTable(data, nested, rowIndex, group.where);
    if (made) cell.append(made);
  }
  if (!cell.childNodes.length) cell.append(wordsOf.drill.no_exchange);
  return element("tr", { class: "opened" }, cell);
}

// The rows of one group; `wanted` is the id of a row to open at once.
function rowsView(data, group, found, wanted) {
  const rows = data.tables.rows;
  const idOf = (row) => String(rows.get(data.id, row));
  const columns = data.columns.filter(([name]) => rows.has(name));
  let first = null;

  const line = (row) => {
    const cells = columns.map(([name, , kind], place) => {
      if (place) return cellOf(rows.get(name, row), kind);
      const button = element(
        "button",
        { type: "button", class: "opener", "aria-expanded": "false" },
        String(rows.get(name, row)),
      );
      return element("th", { scope: "row" }, button);
    });
    const tr = element("tr", {}, ...cells);
    const button = cells[0].firstChild;
    const toggle = () => {
      if (tr.nextSibling?.classList?.contains("opened")) {
        tr.nextSibling.remove();
        button.setAttribute("aria-expanded", "false");
        return;
      }
      tr.after(openedRow(data, group, row, columns.length));
      button.setAttribute("aria-expanded", "true");
      history.replaceState(null, "", hashOf(data.part, ...group.path, idOf(row)));
    };
    button.addEventListener("click", toggle);
    if (wanted !== null && idOf(row) === wanted && !first) first = { tr, button, toggle };
    return tr;
  };

  const draw = (shown) =>
    element(
      "div",
      { class: "scroll", role: "region", tabindex: "0", "aria-label": group.label },
      element("table", {}, headOf(columns), element("tbody", {}, ...shown.map(line))),
    );
  if (!found.length) return { view: element("p", { class: "soft" }, wordsOf.drill.nothing), first };
  const at = wanted === null ? -1 : found.findIndex((row) => idOf(row) === wanted);
  const view = paged(found, PAGE, draw, Math.max(0, Math.floor(at / PAGE)));
  first?.toggle();
  return { view, first };
}

function documentsView(data) {
  if (!data.documents.length) return null;
  const own = data.documents.map(([label, text]) =>
    element(
      "details",
      { class: "document" },
      element("summary", {}, label),
      element("pre", { tabindex: "0", "aria-label": label }, text),
    ),
  );
  return element("div", { class: "documents" }, element("h5", {}, wordsOf.drill.documents), ...own);
}

// Open a part at a path such as ["A", "gpt-4.1", "P-07"]; returns whether there is such a group.
function openDrill(part, path) {
  const holder = document.querySelector(`[data-drill="${CSS.escape(part)}"]`);
  const data = holder && dataOf(part);
  const depth = data ? data.keys.length : 0;
  const group =
    data && data.groups.find((entry) => entry.path.every((step, place) => step === path[place]));
  if (!group) return false;
  const wanted = path.length > depth ? path[depth] : null;
  const panel = holder.querySelector("[data-panel]");
  const keys = Object.fromEntries(data.keys.map((key, place) => [key, group.path[place]]));
  const all = data.tables.rows.rows(keys);
  const heading = element(
    "h4",
    { tabindex: "-1" },
    [group.heading, group.label].filter(Boolean).join(" · "),
  );
  const body = element("div", {});
  let opened = null;
  const show = (column, row) => {
    const found = column === null ? all : all.filter((index) => data.tables.rows.get(column, index));
    const { view, first } = rowsView(data, group, found, row);
    body.replaceChildren(view);
    opened = first;
  };
  const choices = [[wordsOf.drill.filters.everything, null], ...data.filters];
  const count = (column) =>
    column === null ? all.length : all.filter((row) => data.tables.rows.get(column, row)).length;
  const buttons = choices.map(([label, column]) =>
    element(
      "button",
      {
        type: "button",
        "aria-pressed": String(column === null),
        onclick: (event) => {
          for (const other of buttons) other.setAttribute("aria-pressed", "false");
          event.currentTarget.setAttribute("aria-pressed", "true");
          show(column, null);
        },
      },
      `${label} (${count(column)})`,
    ),
  );
  show(null, wanted);
  panel.replaceChildren(
    ...[
      heading,
      data.filters.length
        ? element("div", { class: "filters", role: "group", "aria-label": wordsOf.drill.filter }, ...buttons)
        : null,
      body,
      documentsView(data),
    ].filter(Boolean),
  );
  panel.hidden = false;
  for (const link of holder.querySelectorAll(".choice")) {
    const current = decodeURIComponent(link.getAttribute("href")) === `#${[part, ...group.path].join("/")}`;
    if (current) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  (opened ? opened.tr : heading).scrollIntoView({ block: "start", behavior: "instant" });
  for (const box of panel.querySelectorAll(".scroll")) box.scrollLeft = 0;
  (opened ? opened.button : heading).focus({ preventScroll: true });
  return true;
}
