/** Every key of the table; the same as those of `upcard play` where they exist. */

/** Whether somebody is writing, so that letters are letters. */
export function isWriting(target) {
  return Boolean(target?.closest?.("input, textarea, select, [contenteditable]")) && target.type !== "checkbox";
}

/** The name of what a key means at this moment; null if it means nothing. */
export function meaningOf(key, now) {
  const letter = key.length === 1 ? key.toLowerCase() : key;
  const always = {
    "?": "rules", v: "events", f: "fast", g: "coach",
  };
  if (now.asked) {
    const row = now.actions.find((one) => one.key === letter);
    if (row) return { act: row.action };
    if (/^[1-9]$/.test(letter) && now.picks.includes(Number(letter))) return { pick: Number(letter) };
  } else if (now.offered) {
    if (letter === "y") return "take bank";
    if (letter === "n") return "decline bank";
  } else if (now.wagering) {
    if (/^[1-9]$/.test(letter)) return { wager: Number(letter) - 1 };
    const found = {
      Enter: "deal", ArrowUp: "wager up", ArrowDown: "wager down", ArrowRight: "more", ArrowLeft: "less",
      PageUp: "much more", PageDown: "much less", a: "type", 0: "none", o: "clear", z: "undo", r: "repeat", d: "double",
      b: "box", x: "drop box", n: "next box", w: "walk", $: "buy", m: "mix", c: "leave", l: "back",
    }[letter];
    if (found) return found;
  } else {
    const found = { $: "buy", m: "mix", c: "leave", w: "walk" }[letter];
    if (found && !now.inRound) return found;
    if (letter === "Enter" && now.banks) return "deal";
  }
  return always[letter] || null;
}
