// What scripts add to the console. Every page works without them.

/** Buttons that copy what stands beside them. */
for (const button of document.querySelectorAll('button.copy')) {
  button.hidden = false;
  const label = button.textContent;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector('pre').textContent.trim());
    button.textContent = button.dataset.copied;
    setTimeout(() => (button.textContent = label), 2000);
  });
}

/**
 * An element with `data-news` is asked for again, every so many seconds, until it says that there is no more news. Then the element that
 * `data-at-end` names is replaced: what the page said of the beginning, and offered until the end, is no longer true.
 */
for (const element of document.querySelectorAll('[data-news]')) follow(element);

function follow(element) {
  const seconds = Number(element.dataset.news);
  if (!(seconds > 0)) return;
  setTimeout(async () => {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined);
    const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : undefined;
    const fresh = page?.getElementById(element.id);
    if (!fresh) return follow(element);
    const end = Number(fresh.dataset.news) > 0 ? undefined : fresh.dataset.atEnd;
    if (end) document.getElementById(end).replaceWith(page.getElementById(end));
    else element.replaceWith(fresh);
    follow(fresh);
  }, seconds * 1000);
}

/** Forms that a script of their own takes over. */
for (const form of document.querySelectorAll('form[data-script]')) import(form.dataset.script).then(({ start }) => start(form));

/**
 * The search is one key away, unless somebody is writing, or has switched the key off: who speaks to their computer may press it by a word.
 * This browser keeps that.
 */
const KEY = 'search-key';
const isKeyOff = () => localStorage.getItem(KEY) === 'off';
for (const button of document.querySelectorAll('button[data-search-key]')) {
  const show = () => (button.textContent = isKeyOff() ? button.dataset.on : button.dataset.off);
  button.hidden = false;
  show();
  button.addEventListener('click', () => {
    localStorage.setItem(KEY, isKeyOff() ? 'on' : 'off');
    show();
  });
}
addEventListener('keydown', (event) => {
  const isWriting = event.target.closest('input, textarea, select, [contenteditable]');
  const search = document.querySelector('form.find');
  if (!search || !((event.key === '/' && !isWriting && !isKeyOff()) || (event.key === 'k' && (event.ctrlKey || event.metaKey)))) return;
  event.preventDefault();
  palette(search).showModal();
});

/** The search over the page that somebody is on: what its own page would say, while they write. Arrows go from one to the next. */
function palette(search) {
  const known = document.querySelector('dialog.palette');
  if (known) return known;
  const form = search.cloneNode(true);
  const found = document.createElement('div');
  const dialog = Object.assign(document.createElement('dialog'), { className: 'palette', ariaLabel: search.ariaLabel });
  dialog.append(form, found);
  document.body.append(dialog);
  const input = form.querySelector('input');
  input.autocomplete = 'off';
  let waiting;
  input.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      const text = input.value.trim();
      const answer = text && (await fetch(`${form.action}?q=${encodeURIComponent(text)}`).catch(() => undefined));
      // Somebody has written on, or the id of a record has led to its page.
      if (text !== input.value.trim()) return;
      if (answer?.redirected) return location.assign(answer.url);
      const page = new DOMParser().parseFromString(answer ? await answer.text() : '', 'text/html');
      found.replaceChildren(...page.querySelectorAll('main > section, main > [role="status"]'));
    }, 150);
  });
  dialog.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const stops = [input, ...found.querySelectorAll('a')];
    if (event.key === 'Enter' && event.target === input && stops.length === 2) location.assign(stops[1].href);
    else if (!step) return;
    event.preventDefault();
    stops.at((stops.indexOf(document.activeElement) + (step ?? 0)) % stops.length)?.focus();
  });
  return dialog;
}

/** Only one menu or question is open at a time, and Escape closes it. */
addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  for (const open of document.querySelectorAll('details.account[open], details.confirm[open], details.more[open]')) {
    open.open = false;
    open.querySelector('summary').focus();
  }
});

/** Buttons that send their form with the answer of a passkey: of one that there is, or of the new one that their options describe. */
for (const button of document.querySelectorAll('button[data-passkey]')) {
  if (!window.PublicKeyCredential?.parseRequestOptionsFromJSON) continue;
  const { form, dataset, nextElementSibling: failed } = button;
  button.hidden = false;
  button.addEventListener('click', async () => {
    if (dataset.options && !form.reportValidity()) return;
    button.disabled = true;
    failed.hidden = true;
    try {
      form.elements.passkey.value = JSON.stringify(await answerOf(dataset));
      form.submit();
    } catch {
      failed.hidden = false;
      button.disabled = false;
    }
  });
}

async function answerOf({ passkey, options }) {
  if (options) return navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(options)) });
  const asked = await (await fetch(passkey, { method: 'POST' })).json();
  return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(asked) });
}
