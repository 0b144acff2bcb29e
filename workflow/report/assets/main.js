// The address decides what is open: #control3/A/gpt-4.1/P-07.
function follow() {
  const path = location.hash
    .slice(1)
    .split("/")
    .map((step) => {
      try {
        return decodeURIComponent(step);
      } catch {
        return step;
      }
    });
  const [part, ...rest] = path;
  if (part === "glossary" && rest.length) {
    document.getElementById(`glossary/${rest[0]}`)?.scrollIntoView({ block: "center" });
    return;
  }
  if (rest.length && !openDrill(part, rest)) document.getElementById(part)?.scrollIntoView();
}

// A print shows every table; afterwards those that were closed are closed again.
function setUpPrint() {
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    for (const details of closed) details.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const details of closed) details.open = false;
  });
}

// On a phone a figure is shown whole; its button shows it large, to be scrolled.
function setUpFigures() {
  for (const button of document.querySelectorAll(".enlarge")) {
    button.addEventListener("click", () => {
      const large = button.closest("figure").classList.toggle("large");
      button.setAttribute("aria-pressed", String(large));
    });
  }
}

setUpTheme();
setUpFigures();
setUpTerms();
setUpPrint();
window.addEventListener("hashchange", follow);
// The same address clicked twice changes nothing, yet a reader expects to be taken there again.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.('a[href^="#"]:not(.term)');
  if (link && link.getAttribute("href") === location.hash) follow();
});
follow();
document.documentElement.dataset.ready = "true";
