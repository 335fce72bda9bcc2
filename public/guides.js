// Suggestions while somebody types in the search of the guides: without this script the form asks the service. And the language that
// somebody reads code in, for all guides: without this script it is chosen on each page.

const SHOWN = 8;
const TERMS_MAX = 8;

/** The sections that have all words: first those that have them in their heading, as the service orders them. */
export function find(entries, query) {
  const terms = (query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).slice(0, TERMS_MAX);
  if (terms.length === 0) return [];
  const scoreOf = ({ heading, title }) =>
    terms.reduce((sum, term) => sum + 2 * heading.toLowerCase().includes(term) + title.toLowerCase().includes(term), 0);
  return entries
    .filter(({ words }) => terms.every((term) => words.includes(` ${term}`)))
    .map((entry) => ({ entry, score: scoreOf(entry) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, SHOWN)
    .map(({ entry }) => entry);
}

for (const form of globalThis.document?.querySelectorAll('form[data-index]') ?? []) suggest(form);

function suggest(form) {
  const field = form.querySelector('input');
  const list = Object.assign(document.createElement('ul'), { className: 'suggestions', hidden: true });
  list.setAttribute('aria-label', 'Suggestions');
  form.append(list);
  let entries;
  const load = () => (entries ??= fetch(form.dataset.index).then(async (answer) => (answer.ok ? (await answer.json()).data : [])));
  field.addEventListener('focus', load, { once: true });
  field.addEventListener('input', async () => {
    const typed = field.value;
    const found = find(await load().catch(() => []), typed);
    // Somebody has typed on meanwhile.
    if (typed !== field.value) return;
    list.replaceChildren(...found.map(itemOf));
    list.hidden = found.length === 0;
  });
  form.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') list.hidden = true;
  });
}

function itemOf({ href, title, heading }) {
  const link = Object.assign(document.createElement('a'), { href, textContent: heading === title ? title : `${title}: ${heading}` });
  const item = document.createElement('li');
  item.append(link);
  return item;
}

const LANGUAGES = 'languages';
const LANGUAGES_MAX = 8;
/** Those chosen last come first. A browser that keeps nothing is asked on each page. */
let languages = [];
try {
  languages = (localStorage.getItem(LANGUAGES) ?? '').split('\n');
} catch {}
const groups = globalThis.document?.querySelectorAll('.alternatives') ?? [];
for (const group of groups) group.addEventListener('change', choose);
show();

function choose({ target }) {
  languages = [target.value, ...languages.filter((language) => language !== target.value)].slice(0, LANGUAGES_MAX);
  try {
    localStorage.setItem(LANGUAGES, languages.join('\n'));
  } catch {}
  // What was chosen stays where it is, whatever grows or shrinks above it.
  const { top } = target.getBoundingClientRect();
  show();
  scrollBy(0, target.getBoundingClientRect().top - top);
}

function show() {
  for (const group of groups) {
    const fields = [...group.querySelectorAll(':scope > input')];
    const chosen = languages.map((language) => fields.find(({ value }) => value === language)).find(Boolean);
    if (chosen) chosen.checked = true;
  }
}
