/** Tools have their inputs in snake_case, bodies of REST in camelCase. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
