/** Calendar days (UTC): `start` is the first day of the period, `end` the first day of the next. */
export type BillingPeriod = Readonly<Record<'start' | 'end', string>>;

/** The period that contains a day. Periods start on the anchor's day of the month, or on the last day of a shorter month. */
export function billingPeriod(anchor: string, today: string): BillingPeriod {
  const anchorDay = Number(anchor.slice(8, 10));
  const year = Number(today.slice(0, 4));
  const month = Number(today.slice(5, 7)) - 1;
  const startsThisMonth = today >= firstDay(year, month, anchorDay);
  return {
    start: firstDay(year, startsThisMonth ? month : month - 1, anchorDay),
    end: firstDay(year, startsThisMonth ? month + 1 : month, anchorDay),
  };
}

function firstDay(year: number, month: number, anchorDay: number): string {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(anchorDay, lastDay))).toISOString().slice(0, 10);
}
