// Tables as they travel: by column, a column of few values as {d: values, i: indices}.
class Columns {
  constructor(table) {
    this.length = table.n;
    this.columns = table.c;
  }

  has(name) {
    return name in this.columns;
  }

  get(name, row) {
    const column = this.columns[name];
    if (!column) return null;
    return column.d ? column.d[column.i[row]] : column.v[row];
  }

  // The rows in which each column has its value; a value may be a list of which any will do.
  rows(wanted) {
    const tests = Object.entries(wanted)
      .filter(([name]) => this.has(name))
      .map(([name, value]) => {
        const column = this.columns[name];
        const any = new Set((Array.isArray(value) ? value : [value]).map(String));
        if (!column.d) return (row) => any.has(String(column.v[row]));
        const codes = new Set();
        column.d.forEach((entry, code) => any.has(String(entry)) && codes.add(code));
        return (row) => codes.has(column.i[row]);
      });
    const found = [];
    for (let row = 0; row < this.length; row += 1) {
      if (tests.every((test) => test(row))) found.push(row);
    }
    return found;
  }
}

const parsed = new Map();

// A part's rows, read when they are first asked for.
function dataOf(part) {
  if (!parsed.has(part)) {
    const element = document.getElementById(`data-${part}`);
    if (!element) return null;
    const data = JSON.parse(element.textContent);
    for (const name of Object.keys(data.tables)) data.tables[name] = new Columns(data.tables[name]);
    parsed.set(part, data);
  }
  return parsed.get(part);
}
