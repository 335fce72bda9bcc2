const INT32_MAX = 2 ** 31 - 1;

/** The schema of a whole number. Languages with more than one kind of number choose it by the format. */
export const wholeNumber = (minimum: number, maximum: number = Number.MAX_SAFE_INTEGER) =>
  ({ type: 'integer', format: maximum > INT32_MAX ? 'int64' : 'int32', minimum, maximum }) as const;
