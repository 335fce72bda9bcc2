import { weightsIn } from '../../kernel/text.js';

/** Which of the types an `Accept` header prefers. The first one if the header is missing or prefers none of them. */
export function acceptedType<Type extends string>(accept: string | undefined, types: readonly [Type, ...Type[]]): Type {
  const wishes = new Map(weightsIn(accept ?? '*/*').map(([type, weight]) => [type, weight >= 0 && weight <= 1 ? weight : 0]));
  const weightOf = (type: string): number => wishes.get(type) ?? wishes.get(type.replace(/\/.*/, '/*')) ?? wishes.get('*/*') ?? 0;
  return types.reduce((best, type) => (weightOf(type) > weightOf(best) ? type : best));
}
