// Runs before the first paint: the theme that was chosen, and what a page needs without a server.
(() => {
  const root = document.documentElement;
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const kept = read("upcard-theme");
  if (kept === "dark" || kept === "light") root.dataset.theme = kept;

  const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : !matchMedia("(prefers-color-scheme: light)").matches;
  const sayTheme = () =>
    document
      .querySelectorAll("[data-switch-theme]")
      .forEach((button) => button.setAttribute("aria-pressed", String(isDark())));

  addEventListener("click", (event) => {
    const found = event.target.closest?.("[data-switch-theme], [data-copy], [data-print]");
    if (!found) return;
    if (found.hasAttribute("data-switch-theme")) {
      root.dataset.theme = isDark() ? "light" : "dark";
      try {
        localStorage.setItem("upcard-theme", root.dataset.theme);
      } catch {
        // Not remembered then.
      }
      sayTheme();
    } else if (found.hasAttribute("data-print")) {
      print();
    } else {
      const text = found.getAttribute("data-copy");
      const said = found.textContent;
      navigator.clipboard?.writeText(text).then(() => {
        found.textContent = "Copied";
        setTimeout(() => (found.textContent = said), 1500);
      });
    }
  });

  // The time at play today: counted by the server, and from there on by this page's clock.
  const tick = () => {
    for (const clock of document.querySelectorAll("[data-played]")) {
      const since = performance.now() - (clock.since ??= performance.now());
      const running = clock.dataset.running === "1" ? since / 1000 : 0;
      const minutes = Math.floor((Number(clock.dataset.played) + running) / 60);
      const words = `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
      if (clock.textContent !== words) clock.textContent = words;
    }
  };
  // Menus that a click elsewhere or Escape closes.
  addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      menu.open = false;
      menu.querySelector("summary")?.focus();
    }
  });
  // Of a page's keys: an element says its own, and is pressed by it unless somebody writes.
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("input, select, textarea")) return;
    // Enter and the space bar belong to whatever has the focus.
    if ((event.key === "Enter" || event.key === " ") && event.target.closest?.("a, button, summary")) return;
    const found = document.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
    if (found && !found.disabled) {
      event.preventDefault();
      found.click();
    }
  });
  // What a page does goes through the same interface that programs use: an element says where
  // (data-api), how (data-method), what (data-body, or the fields of a form) and where to go then
  // (data-then, with {id} of the answer; "" is this page again).
  const say = (near, words) => {
    const place = near?.closest?.("form, [data-answers], article, li, tr, section") ?? document.body;
    let found = place.querySelector("[role=alert]") ?? document.getElementById("upcard-says");
    if (!found) {
      found = Object.assign(document.createElement("p"), { id: "upcard-says", className: "toast" });
      found.setAttribute("role", "alert");
      document.body.append(found);
    }
    found.textContent = words;
    found.hidden = !words;
    if (found.id === "upcard-says") setTimeout(() => (found.hidden = true), 8000);
  };
  // What was done, in a sentence: also on the page that comes then.
  const SAID = "upcard-said";
  const cheer = (words) => {
    const found = Object.assign(document.createElement("p"), { className: "toast notice good", textContent: words });
    found.setAttribute("role", "status");
    document.body.append(found);
    setTimeout(() => found.remove(), 10000);
  };
  const cheerLater = (words) => {
    try {
      sessionStorage.setItem(SAID, words);
    } catch {
      // Not said then.
    }
  };
  const cheerNow = () => {
    try {
      const words = sessionStorage.getItem(SAID);
      sessionStorage.removeItem(SAID);
      if (words) cheer(words);
    } catch {
      // Nothing to say.
    }
  };
  const send = async (near, { api, method = "POST", body, then, said }) => {
    const controls = near?.matches?.("form") ? near.querySelectorAll("button") : near ? [near] : [];
    controls.forEach((one) => (one.disabled = true));
    const free = () => controls.forEach((one) => (one.disabled = false));
    let words = "The house does not answer. Try again.";
    try {
      const headers = body === undefined ? {} : { "content-type": "application/json" };
      const answer = await fetch(api, {
        method,
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
        credentials: "same-origin",
      });
      const data = answer.status === 204 ? {} : await answer.json().catch(() => ({}));
      if (answer.ok) {
        say(near, "");
        near?.dispatchEvent(new CustomEvent("done", { detail: data }));
        if (said) (then === undefined ? cheer : cheerLater)(said);
        if (then === "") location.reload();
        else if (then !== undefined) location.assign(then.replace("{id}", encodeURIComponent(data.id ?? "")));
        else free();
        return data;
      }
      words = data.error ? data.error[0].toUpperCase() + data.error.slice(1) + "." : words;
    } catch {
      // Said below.
    }
    free();
    say(near, words);
  };
  window.upcard = { send, say };

  const valueOf = (field) => {
    const text = field.value.trim();
    if (field.dataset.type === "cents") {
      if (text === "") return null;
      // 1,250 is a thousand and more; 12,50 is nothing that one could be sure of.
      const found = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(\.\d{1,2})?$/.exec(text);
      return found ? Math.round(Number(found[1].replaceAll(",", "") + (found[2] || "")) * 100) : NaN;
    }
    if (field.dataset.type === "number") return text === "" ? null : /^\d+$/.test(text) ? Number(text) : NaN;
    return field.value;
  };
  // What is wrong with a number that was typed, in the unit of its field; "" if nothing is.
  const wrongIn = (field, value) => {
    const cents = field.dataset.type === "cents";
    const most = Number(field.dataset.most ?? Infinity);
    const name = field.labels?.[0]?.textContent;
    const said = (words) => (name ? `${name}: ${words}` : words);
    if (Number.isNaN(value)) {
      const right = cents
        ? "is no amount; write dollars such as 25 or 12.50, not below 0"
        : "is no whole number; write one such as 60, not below 0";
      return said(`\u201c${field.value.trim()}\u201d ${right}.`);
    }
    if (value === null || value <= most) return "";
    const top = (cents ? most / 100 : most).toLocaleString("en-US");
    return said(`the most that can be set is ${cents ? "$" : ""}${top}.`);
  };
  addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.dataset.api) return;
    event.preventDefault();
    const body = {};
    for (const field of form.elements) if (field.name) body[field.name] = valueOf(field);
    for (const field of form.elements) {
      const wrong = field.name && field.dataset.type ? wrongIn(field, body[field.name]) : "";
      if (wrong) {
        field.focus();
        return say(form, wrong);
      }
    }
    send(form, { ...form.dataset, body });
  });
  addEventListener("click", (event) => {
    const found = event.target.closest?.("button[data-api]");
    if (!found || found.disabled) return;
    if (found.dataset.sure && !confirm(found.dataset.sure)) return;
    const body = found.dataset.body === undefined ? undefined : JSON.parse(found.dataset.body);
    send(found, { ...found.dataset, body });
  });
  // The purse in the bar, when somebody comes back to a page: chips may have been bought elsewhere.
  const sayPurse = async () => {
    const purse = document.querySelector("[data-purse]");
    if (!purse || document.hidden) return;
    const answer = await fetch("/api/me").catch(() => null);
    if (!answer?.ok) return;
    const { money } = await answer.json();
    const rest = money % 100 ? `.${String(money % 100).padStart(2, "0")}` : "";
    purse.textContent = `$${Math.floor(money / 100).toLocaleString("en-US")}${rest}`;
  };
  addEventListener("visibilitychange", sayPurse);
  addEventListener("pageshow", (event) => event.persisted && sayPurse());
  const start = () => {
    cheerNow();
    sayTheme();
    tick();
    setInterval(tick, 5000);
    // The page is drawn a moment later than this runs.
    let waiting = 0;
    const watch = new MutationObserver(() => {
      waiting ||= requestAnimationFrame(() => {
        waiting = 0;
        sayTheme();
        tick();
      });
    });
    watch.observe(document.body, { childList: true, subtree: true });
    setTimeout(() => watch.disconnect(), 10000);
  };
  if (document.body) start();
  else addEventListener("DOMContentLoaded", start);
})();
