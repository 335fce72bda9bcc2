/** Runs calls in turn, so that other load on the machine affects all of them. Returns the median of each in milliseconds. */
export async function timeInTurn(calls, rounds) {
  for (let warm = 0; warm < 10; warm += 1) for (const call of calls) await call();
  const times = calls.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, call] of calls.entries()) {
      const start = performance.now();
      await call();
      times[index].push(performance.now() - start);
    }
  }
  return times.map((found) => found.sort((a, b) => a - b)[Math.floor(found.length / 2)]);
}
