import { expect, it } from 'vitest';
import type { Unit, UnitOfWork } from '../../../store/database/unit-of-work.js';
import { LazyTransaction } from './oauth-transactions.js';

const UNIT = {} as Unit;

function aTransaction(fails?: Error) {
  const told: string[] = [];
  const transact = async (work: (unit: Unit) => Promise<void>): Promise<void> => {
    told.push('begin');
    if (fails) throw fails;
    await work(UNIT).catch(() => {
      told.push('rollback');
      throw new Error('a translated error');
    });
    told.push('commit');
  };
  return { told, transaction: new LazyTransaction({ transact } as unknown as UnitOfWork) };
}

it('does nothing if it was never needed', async () => {
  const { told, transaction } = aTransaction();
  await transaction.commit();
  await expect(transaction.rollBack(new Error('refused'))).rejects.toThrow('refused');
  expect([told, transaction.unit]).toEqual([[], undefined]);
});

it('begins once, and commits at the end', async () => {
  const { told, transaction } = aTransaction();
  expect(await Promise.all([transaction.begin(), transaction.begin()])).toEqual([UNIT, UNIT]);
  expect(transaction.unit).toBe(UNIT);
  expect(told).toEqual(['begin']);
  await transaction.commit();
  expect(told).toEqual(['begin', 'commit']);
});

it('rolls back with the error that the transaction turns the reason into', async () => {
  const { told, transaction } = aTransaction();
  await transaction.begin();
  await expect(transaction.rollBack(new Error('a lock'))).rejects.toThrow('a translated error');
  expect(told).toEqual(['begin', 'rollback']);
});

it('fails with the reason why it could not begin', async () => {
  const { transaction } = aTransaction(new Error('away'));
  await expect(transaction.begin()).rejects.toThrow('away');
  await expect(transaction.rollBack(new Error('away'))).rejects.toThrow('away');
});
