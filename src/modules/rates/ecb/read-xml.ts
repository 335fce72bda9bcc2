import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { StartError } from '../../../kernel/start-error.js';
import { Quotes, type Quote } from './quote.js';

interface Cube {
  readonly '@time'?: string;
  readonly '@currency'?: string;
  readonly '@rate'?: string;
  readonly Cube?: readonly Cube[];
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseAttributeValue: false,
  processEntities: false,
  isArray: (name) => name === 'Cube',
});

/** `eurofxref-daily.xml`, `eurofxref-hist.xml` and the like: a `Cube` for each day, with one for each currency. */
export function readXml(text: string): Quote[] {
  if (XMLValidator.validate(text) !== true) throw new StartError('The file is not well-formed XML. It may be incomplete.');
  const { Envelope } = parser.parse(text) as { Envelope?: Cube };
  const days = (Envelope?.Cube ?? []).flatMap(({ Cube: inner = [] }) => inner);
  const quotes = new Quotes();
  days.forEach(({ '@time': day = '', Cube: cubes = [] }, index) => {
    for (const { '@currency': currency = '', '@rate': rate = '' } of cubes) quotes.add({ day, currency, rate }, `Day ${index + 1}`);
  });
  return quotes.all();
}
