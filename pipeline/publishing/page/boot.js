"use strict";
// Loads everything else after the style sheet, so that the page appears first on a slow connection.

for (const name of ["bee.js", "days.js", "shelf.js", "parts.js", "game.js", "sheets.js", "start.js", "app.js", "words.js"]) {
  const script = document.createElement("script");
  script.src = `${name}?v=${document.documentElement.dataset.build}`;
  script.id = name;
  script.async = false; // in this order
  document.head.append(script);
}
