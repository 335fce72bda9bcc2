const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export const isCurrency = (text: string): boolean => CURRENCIES.has(text);

/** What statements write for a currency. A dollar or a dinar may be one of several. */
// oxfmt-ignore
export const SYMBOLS: Readonly<Record<string, string>> = {
  '€': 'EUR', '£': 'GBP', '₽': 'RUB', '₴': 'UAH', '₪': 'ILS', РУБ: 'RUB', ГРН: 'UAH', ЛВ: 'BGN', 'ש״ח': 'ILS', 'ש"ח': 'ILS',
};
