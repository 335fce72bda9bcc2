/** The names of a resource, and how the templates' sample widget takes them on. */

/** A name that cannot be, in words for whoever gave it. */
export class BadName extends Error {}

// Postgres cuts names at 63 characters, and those of indexes are longer than that of their table.
const LONGEST = 48;
const KEBAB = /^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/;
const SNAKE = /^[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*$/;

/** All names of a resource from that of its folder and from what was said otherwise. */
export function namesOf(name, { singular = singularOf(name), capability, path, event } = {}) {
  const names = { name, singular, capability: capability ?? (path ?? name).replaceAll('-', '_') };
  names.path = path ?? names.capability.replaceAll('_', '-');
  names.event = event ?? eventOf(names);
  check('NAME', name, KEBAB, 'claim-notes');
  check('--singular', singular, KEBAB, 'claim-note');
  check('--path', names.path, KEBAB, 'claim-notes');
  check('--capability', names.capability, SNAKE, 'claim_notes');
  check('--event', names.event, SNAKE, 'claim_note');
  if (singular === name)
    throw new BadName(`${name} is no plural that is understood here: name the folder in the plural, or give --singular.`);
  return names;
}

function check(what, value, form, example) {
  if (!form.test(value)) throw new BadName(`${what} is to be written like ${example}; it is ${JSON.stringify(value)}.`);
  if (value.length > LONGEST) throw new BadName(`${what} has more than ${LONGEST} characters.`);
}

function singularOf(plural) {
  if (/[^aeiou]ies$/.test(plural)) return plural.replace(/ies$/, 'y');
  return plural.replace(/(?<=ss|x|ch|sh)es$|(?<!s)s$/, '');
}

/** `expense_category` for the folder `categories` with the capability `expense_categories`. */
function eventOf({ name, singular, capability }) {
  const plural = name.replaceAll('-', '_');
  return capability.endsWith(plural) ? capability.slice(0, -plural.length) + singular.replaceAll('-', '_') : singularOf(capability);
}

/** Every form in which the sample widget stands in a template, and what stands there instead. */
export function formsOf({ name, singular, path, capability, event }, timestamp) {
  const words = event.replaceAll('_', ' ');
  const article = /^[aeiou]/.test(words) ? 'an' : 'a';
  return {
    // Files have the folder's name, also where they are imported; in code the same name is a variable.
    '/widgets': `/${name}`,
    '/widget': `/${singular}`,
    widgets: camel(name),
    widget: camel(singular),
    Widgets: pascal(name),
    Widget: pascal(singular),
    WIDGET: snake(singular).toUpperCase(),
    widget_id: `${snake(singular)}_id`,
    'sample-widgets': path,
    sample_widgets: capability,
    sample_widget: event,
    SampleWidgets: pascal(capability),
    SampleWidget: pascal(event),
    'a sample widget': `${article} ${words}`,
    'A sample widget': `${article.replace('a', 'A')} ${words}`,
    'sample widgets': capability.replaceAll('_', ' '),
    'sample widget': words,
    1700000000000: String(timestamp),
  };
}

/** A template's text with a resource's own names. */
export function fillIn(text, forms) {
  const longestFirst = Object.keys(forms).sort((a, b) => b.length - a.length);
  return text.replace(new RegExp(longestFirst.join('|'), 'g'), (form) => forms[form]);
}

export const pascal = (name) =>
  name
    .split(/[-_]/)
    .map((part) => part[0].toUpperCase() + part.slice(1))
    .join('');
const snake = (name) => name.replaceAll('-', '_');
const camel = (name) => pascal(name).replace(/^./, (first) => first.toLowerCase());
