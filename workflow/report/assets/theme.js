"use strict";
// Light, dark, or as the system has it; remembered where the browser allows it.
const wordsOf = JSON.parse(document.getElementById("words").textContent);

function setUpTheme() {
  const button = document.querySelector("[data-theme-button]");
  const order = ["auto", "light", "dark"];
  let theme = "auto";
  try {
    theme = localStorage.getItem("veridical-theme") || "auto";
  } catch {
    // a page opened from a file may have no storage
  }
  if (!order.includes(theme)) theme = "auto";
  const show = () => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.textContent = wordsOf.page[`theme_${theme}`];
  };
  button.addEventListener("click", () => {
    theme = order[(order.indexOf(theme) + 1) % order.length];
    try {
      localStorage.setItem("veridical-theme", theme);
    } catch {
      // then it holds for this visit
    }
    show();
  });
  show();
}
