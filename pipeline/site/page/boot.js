"use strict";
// Loads everything else after the style sheet, so that the page appears first on a slow connection.

const build = document.documentElement.dataset.build;

for (const name of ["bee.js", "days.js", "shelf.js", "parts.js", "game.js", "sheets.js", "hints.js", "answers.js", "card.js", "start.js", "app.js"]) {
  const script = document.createElement("script");
  script.src = `${name}?v=${build}`;
  script.async = false; // in this order
  document.head.append(script);
}
document.head.append(
  Object.assign(document.createElement("link"), { rel: "preload", as: "fetch", crossOrigin: "anonymous", href: `words.json?v=${build}` }),
);
