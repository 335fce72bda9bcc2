// What files of extensions are made from (src/extension-computations.ts).
export { bookingsOf, type Booking } from './outputs/bookings/bookings.js';
export type { DetailLine, FileSink, Report } from './outputs/report.js';
export { declareClaimForm, declareReportOutput, type ReportOutput } from './outputs/report-output.js';
export { writeTexts } from './outputs/tables.js';
