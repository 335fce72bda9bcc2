/** Which of the types an `Accept` header prefers. The first one if the header is missing or prefers none of them. */
export function acceptedType<Type extends string>(accept: string | undefined, types: readonly [Type, ...Type[]]): Type {
  const wishes = new Map((accept ?? '*/*').toLowerCase().split(',').map(readWish));
  const weightOf = (type: string): number => wishes.get(type) ?? wishes.get(type.replace(/\/.*/, '/*')) ?? wishes.get('*/*') ?? 0;
  return types.reduce((best, type) => (weightOf(type) > weightOf(best) ? type : best));
}

function readWish(wish: string): [type: string, weight: number] {
  const [type = '', ...parameters] = wish.split(';').map((part) => part.trim());
  const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
  return [type, weight >= 0 && weight <= 1 ? weight : 0];
}
