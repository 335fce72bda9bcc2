/** A list shows results up to this size of JSON; `GET /v1/claim-reports/{report_id}` returns every result. */
export const LISTED_RESULT_MAX_BYTES = 64 * 1024;
/** All results of a list together. Making a list of more would hold up the calls of others. */
export const LISTED_RESULTS_MAX_BYTES = 1024 * 1024;

const RESULT = 'claim_reports.result';
const BYTES = `coalesce(claim_reports.result_bytes, octet_length(${RESULT}::text))`;
const OWN = `CASE WHEN ${BYTES} <= ${LISTED_RESULT_MAX_BYTES} THEN ${BYTES} END`;
const OWN_AND_NEWER = `sum(${OWN}) OVER (ORDER BY claim_reports.id DESC)`;

/** Columns of a list, in SQL: Postgres does not even read a result that is left out. */
export const LISTED_COLUMNS = {
  result: `CASE WHEN ${OWN} IS NOT NULL AND ${OWN_AND_NEWER} <= ${LISTED_RESULTS_MAX_BYTES} THEN ${RESULT} END`,
  resultBytes: BYTES,
};

/** The size of a result as JSON, in bytes of UTF-8. */
export const sizeOf = (result: object): number => Buffer.byteLength(JSON.stringify(result));
