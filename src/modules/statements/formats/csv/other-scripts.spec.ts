import { describe, expect, it } from 'vitest';
import { bookingsOf, codesOf, readAll } from '../fixtures/reading.js';
import { columnNamed } from '../../../../../tools/bank-tables/csv/column-names.js';
import { leftOutByStatus } from '../../../../../tools/bank-tables/csv/status-words.js';
import { writtenAmount, writtenDate } from '../../../../../tools/bank-files/index.js';

describe('names of columns in other scripts', () => {
  it.each([
    ['ДАТА ОПЕРАЦИИ', 'date', null],
    ['Сумма, руб.', 'amount', 'RUB'],
    ['Сума в валюті картки (UAH)', 'amount', 'UAH'],
    ['Сума (лв.)', 'amount', 'BGN'],
    ['Задужење', 'debit', null],
    ['Разход', 'debit', null],
    ['Дата и час', 'date', null],
    ['Наредител / Получател', 'counterparty', null],
    ['בזכות (₪)', 'credit', 'ILS'],
    ['סכום חיוב בש"ח', 'amount', 'ILS'],
    ['ΧΡΕΩΣΗ', 'debit', null],
    ['Ημ/νία Κίνησης', 'date', null],
  ])('%s is %s', (name, column, currency) => {
    expect(columnNamed(name)).toEqual({ column, currency });
  });

  it('are read in the encoding in which they are names', async () => {
    // What is Cyrillic in windows-1251, as the bytes of windows-1252.
    const bytes = Buffer.from(
      '\xc4\xe0\xf2\xe0;\xd1\xf3\xec\xec\xe0;\xce\xef\xe8\xf1\xe0\xed\xe8\xe5\n02.03.2026;-1,50;\xd7\xe0\xe9\n',
      'latin1',
    );
    expect((await readAll(bytes, 'a.csv')).lines).toMatchObject([{ amount: '-1.50', description: 'Чай' }]);
    const czech = Buffer.from('Datum;\xc8\xe1stka;Popis\n02.03.2026;-1,50;P\xf8\xedsp\xecvek\n', 'latin1');
    expect((await readAll(czech, 'a.csv')).lines).toMatchObject([{ description: 'Příspěvek' }]);
    const german = Buffer.from('Datum;Betrag;Text\n02.03.2026;-1,50;Gr\xfc\xdfe\n', 'latin1');
    expect((await readAll(german, 'a.csv')).lines).toMatchObject([{ description: 'Grüße' }]);
  });

  it('name the currency of the amounts, whatever the currency of the purchase was', async () => {
    const read = await readAll('Дата;Сума в валюті картки (UAH);Валюта;Опис\n02.03.2026;-521,40;USD;Чай\n', 'a.csv');
    expect(bookingsOf(read)).toEqual(['2026-03-02 -521.40 UAH']);
    expect(codesOf(read)).toContain('currency_of_header');
    const other = await readAll('Дата;Сума;Валюта;Опис\n02.03.2026;-5,40;грн.;Чай\n', 'a.csv');
    expect(bookingsOf(other)).toEqual(['2026-03-02 -5.40 UAH']);
  });
});

describe('a payment in another currency', () => {
  it('is counted as the bank has converted it, with the currency of the account', async () => {
    const header = 'Дата операции;Сумма операции;Валюта операции;Сумма пересчитанная в валюту счета;Валюта счета;Основание\n';
    const read = await readAll(`${header}2026-03-02;-4,50;EUR;-436,15;RUR;Чай\n2026-03-03;-30,00;RUR;-30,00;RUR;Хлеб\n`, 'a.csv');
    expect(bookingsOf(read)).toEqual(['2026-03-02 -436.15 RUR', '2026-03-03 -30.00 RUR']);
    expect(codesOf(read)).not.toContain('column_not_used');
  });
});

describe('words for the status in other scripts', () => {
  it.each(['Исполнено', 'Проведена', 'виконано', 'Осчетоводена', 'Извршено', 'בוצע', 'Ολοκληρώθηκε'])('%s is booked', (word) => {
    expect(leftOutByStatus(word)).toBeUndefined();
  });

  it.each(['Не исполнено', 'В обработке', 'відхилено', 'Чакаща', 'На чекању', 'לא בוצע', 'ממתין לאישור', 'Σε εκκρεμότητα'])(
    '%s is not booked',
    (word) => expect(leftOutByStatus(word)).toBe('not booked'),
  );

  it.each(['В исполнении', 'Неисполнено', 'на виконанні', 'Возвращен'])('%s is not known, so it is not counted', (word) => {
    expect(leftOutByStatus(word)).toBe('status unknown');
  });
});

describe('values between letters of other scripts', () => {
  it('have the signs of their currencies, and marks for the direction of the text', () => {
    expect(writtenAmount('-1 250,50 руб.')).toMatchObject({ sign: '-', digits: '1250,50', currency: 'RUB' });
    expect(writtenAmount('\u200e12.50\u202c ₪')).toMatchObject({ digits: '12.50', currency: 'ILS' });
    expect(writtenDate('\u200f31/03/2026')).toMatchObject({ first: 31, second: 3, year: 2026 });
  });

  it('are no bookings in rows with totals and balances', async () => {
    const text = 'Дата;Основание;Дебит;Кредит;Салдо\n02.03.2026;Чай;1,50;;98,50\n03.03.2026;Наем;;2,00;100,50\nОбщо;;1,50;2,00;\n';
    const read = await readAll(text, 'a.csv');
    expect(read.lines).toHaveLength(2);
    const stated = 'תאריך,תיאור,סכום\n02/03/2026,יתרת פתיחה,100.00\n13/03/2026,תה,-1.50\n31/03/2026,יתרת סגירה,98.50\n';
    const hebrew = await readAll(stated, 'a.csv');
    expect(hebrew.lines).toHaveLength(1);
    expect(hebrew.certainty).toBe('proven');
  });
});
