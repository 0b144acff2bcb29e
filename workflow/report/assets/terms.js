// The definition of a term beside it: on hover, on focus, on tap; Escape closes it.
function setUpTerms() {
  const tip = document.querySelector(".tip");
  let shown = null;

  const show = (term) => {
    const definition = document.getElementById(`definition-${term.dataset.term}`);
    if (!definition) return;
    tip.textContent = definition.textContent;
    tip.hidden = false;
    const box = term.getClientRects()[0];
    const width = tip.offsetWidth;
    const left = Math.min(Math.max(box.left, 12), document.documentElement.clientWidth - width - 12);
    const below = box.bottom + tip.offsetHeight + 12 < window.innerHeight;
    tip.style.left = `${left + window.scrollX}px`;
    tip.style.top = `${(below ? box.bottom + 6 : box.top - tip.offsetHeight - 6) + window.scrollY}px`;
    shown = term;
  };
  const hide = () => {
    tip.hidden = true;
    shown = null;
  };

  document.addEventListener("mouseover", (event) => {
    const term = event.target.closest?.(".term");
    if (term) show(term);
    else if (shown && !event.target.closest?.(".tip") && document.activeElement !== shown) hide();
  });
  document.addEventListener("focusin", (event) => {
    const term = event.target.closest?.(".term");
    if (term) show(term);
    else hide();
  });
  document.addEventListener("click", (event) => {
    const term = event.target.closest?.(".term");
    if (term) {
      event.preventDefault();
      show(term);
    } else if (!event.target.closest?.(".tip")) hide();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
}
