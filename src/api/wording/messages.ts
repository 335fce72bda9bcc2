import { isLiteralElement, isNumberElement, isPluralElement, isPoundElement, isSelectElement } from '@formatjs/icu-messageformat-parser';
import { type MessageFormatElement, parse } from '@formatjs/icu-messageformat-parser';

export type Message = MessageFormatElement[];

const messages = new Map<string, Message>();

/** A text in ICU MessageFormat, which is read once. There are no tags in texts, so `<` is a letter. */
export function messageOf(text: string): Message {
  let message = messages.get(text);
  if (message === undefined) {
    message = parse(text, { ignoreTag: true });
    messages.set(text, message);
  }
  return message;
}

export interface Inside {
  readonly counts: Set<string>;
  /** All arguments, and the cases that the text has for them, such as `currency none`. */
  readonly uses: Set<string>;
  readonly mistakes: Set<string>;
}

/** Reads a text of a language. Its plurals must have the forms that the language has for whole numbers. */
export function insideOf(text: string, language: string): Inside {
  const inside: Inside = { counts: new Set(), uses: new Set(), mistakes: new Set() };
  try {
    look(messageOf(text), language, inside, false);
  } catch (error) {
    inside.mistakes.add(`is not in ICU MessageFormat (${(error as Error).message})`);
  }
  return inside;
}

function look(message: Message, language: string, inside: Inside, isInPlural: boolean): void {
  for (const element of message) {
    if (isPoundElement(element)) continue;
    if (isLiteralElement(element)) {
      if (isInPlural && element.value.includes('#')) inside.mistakes.add('has a # that is no number: write {…, number}');
      continue;
    }
    inside.uses.add(element.value);
    if (isNumberElement(element)) inside.counts.add(element.value);
    if ('style' in element && (element.style ?? null) !== null) inside.mistakes.add(`has a format for ${element.value}`);
    if (!isPluralElement(element) && !isSelectElement(element)) continue;
    if (isPluralElement(element)) {
      inside.counts.add(element.value);
      for (const form of formsOf(language, element.pluralType, element.options))
        if (!Object.hasOwn(element.options, form)) inside.mistakes.add(`lacks the form “${form}” of ${element.value}`);
    } else for (const name of Object.keys(element.options)) if (name !== 'other') inside.uses.add(`${element.value} ${name}`);
    for (const option of Object.values(element.options)) look(option.value, language, inside, isInPlural || isPluralElement(element));
  }
}

const WHOLE_NUMBERS = Array.from({ length: 201 }, (_value, index) => index);

/** The forms for whole numbers as they are, without those that a text has for single numbers (`=0`). */
function formsOf(language: string, type: Intl.PluralRulesOptions['type'], options: object): Set<Intl.LDMLPluralRule> {
  const rules = new Intl.PluralRules(language, { type });
  return new Set(WHOLE_NUMBERS.filter((number) => !Object.hasOwn(options, `=${number}`)).map((number) => rules.select(number)));
}
