/** The names of a resource, and how they replace those of the sample widget in the templates. */

/** A name that cannot be used. The message is for the user of the script. */
export class BadName extends Error {}

// Postgres truncates names to 63 characters, and the names of indexes are longer than the name of their table.
const MAX_LENGTH = 48;
const KEBAB = /^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/;
const SNAKE = /^[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*$/;

/** Derives all names of a resource from the name of its folder, except those that are given. */
export function namesOf(name, { singular = singularOf(name), capability, path, event } = {}) {
  const names = { name, singular, capability: capability ?? (path ?? name).replaceAll('-', '_') };
  names.path = path ?? names.capability.replaceAll('_', '-');
  names.event = event ?? eventOf(names);
  requireKebab('NAME', name, 'claim-notes');
  requireKebab('--singular', singular, 'claim-note');
  requireKebab('--path', names.path, 'claim-notes');
  check('--capability', names.capability, SNAKE, 'claim_notes');
  check('--event', names.event, SNAKE, 'claim_note');
  if (singular === name) throw new BadName(`${name} does not look like a plural: use a plural, or give --singular.`);
  return names;
}

export const requireKebab = (what, value, example) => check(what, value, KEBAB, example);

function check(what, value, form, example) {
  if (!form.test(value)) throw new BadName(`${what} must look like ${example}, but is ${JSON.stringify(value)}.`);
  if (value.length > MAX_LENGTH) throw new BadName(`${what} is longer than ${MAX_LENGTH} characters.`);
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

/** Every form of the sample widget's names in the templates, with its replacement. */
export function formsOf({ name, singular, path, capability, event }, timestamp) {
  const words = event.replaceAll('_', ' ');
  const article = /^[aeiou]/.test(words) ? 'an' : 'a';
  return {
    // After a slash it is the name of a file in kebab case; elsewhere it is a variable in camel case.
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
    'Sample widgets': capitalized(capability.replaceAll('_', ' ')),
    'sample widget': words,
    1700000000000: String(timestamp),
  };
}

/** The text of a template with the names of the resource. */
export function fillIn(text, forms) {
  const longestFirst = Object.keys(forms).sort((a, b) => b.length - a.length);
  return text.replace(new RegExp(longestFirst.join('|'), 'g'), (form) => forms[form]);
}

const capitalized = (words) => words[0].toUpperCase() + words.slice(1);

export const pascal = (name) =>
  name
    .split(/[-_]/)
    .map((part) => part[0].toUpperCase() + part.slice(1))
    .join('');
const snake = (name) => name.replaceAll('-', '_');
export const camel = (name) => pascal(name).replace(/^./, (first) => first.toLowerCase());
