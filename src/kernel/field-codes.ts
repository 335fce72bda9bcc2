/**
 * What can be wrong with a value of a request: the codes of `errors` in a problem document. A code never changes its meaning; new
 * ones are added. The documents and the problem pages show these sentences.
 */
export const FIELD_CODES = {
  required: 'The value is missing.',
  unknown_property: 'There is no property or parameter of this name.',
  wrong_type: 'The value has another type, such as a number instead of a string.',
  not_allowed: 'The value is not among those that are allowed.',
  repeated: 'The value is given more than once.',
  too_short: 'The text or list is too short.',
  too_long: 'The text is too long.',
  too_many: 'The list has too many entries.',
  too_large: 'The object is too large as JSON.',
  too_deep: 'The object is nested too deeply.',
  out_of_range: 'The number is too small or too large.',
  inexact_number: 'A double cannot hold the number exactly. Send it as a string.',
  invalid_number: 'The number is beyond the range of a double.',
  invalid_text: 'The text contains NUL characters or lone surrogates.',
  invalid_encoding: 'The parameter is not percent-encoded UTF-8.',
  invalid_uuid: 'The value is not a UUID.',
  invalid_date: 'The value is not an existing calendar date.',
  invalid_time: 'The value is not a time with its offset.',
  invalid_country: 'The value is not a country code of ISO 3166-1.',
  invalid_currency: 'The value is not a currency code of ISO 4217.',
  invalid_amount: 'The value is not an exact decimal amount.',
  invalid_percent: 'The value is not a percentage from 0 to 100.',
  invalid_email: 'The value is not an e-mail address.',
  invalid_address: 'The value is not an IPv4 or IPv6 address or CIDR.',
  invalid_slug: 'The value is not a short name for URLs.',
  invalid_tag: 'The header is not a list of ETags.',
  invalid_pattern: 'The value is not a pattern in RE2 syntax, or the pattern is too large.',
  too_costly: 'All patterns of the record together take too long to check.',
  before_start: 'The end is before the start.',
  already_exists: 'Another record has this value, which must be unique.',
  related_record_missing: 'The credential knows no record with this id.',
  environment_mismatch: 'The credential cannot manage this environment.',
  target_not_allowed: 'Deliveries cannot be sent to this URL.',
  not_of_configuration: 'The project is not that of the configuration.',
  answer_too_large: 'The answer would be too large. Ask for a smaller page.',
  last_owner: 'The organization would have no owner.',
} as const satisfies Record<string, string>;

export type FieldCode = keyof typeof FIELD_CODES;
