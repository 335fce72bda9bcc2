import { readdirSync } from 'node:fs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { Assets } from '../../api/console/assets.js';
import type { Settings } from '../../kernel/settings/settings.js';
import { PartsController } from './parts.controller.js';

const show = (nodeEnv: string): string => {
  const reply = { headers: () => reply } as unknown as FastifyReply;
  return new PartsController({ nodeEnv } as Settings, new Assets()).show({ url: '/console/parts' } as FastifyRequest, reply);
};

/** Layouts of pages, not parts of them. */
const OF_WHOLE_PAGES = ['Head', 'FormFields', 'RecordInputs', 'Errors'];

it('the page of parts shows every part that pages can be made of', async () => {
  const folder = new URL('../../api/console/parts/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.tsx'));
  const modules = await Promise.all(files.map((name) => import(new URL(name, folder).pathname) as Promise<object>));
  const parts = modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) => (/^[A-Z][a-z]/.test(name) && typeof value === 'function' ? [name] : [])),
  );
  expect(parts.length).toBeGreaterThan(20);
  const page = show('development');
  expect(parts.filter((name) => !OF_WHOLE_PAGES.includes(name) && !page.includes(name))).toEqual([]);
});

it('there is no page of parts in production', () => {
  expect(() => show('production')).toThrow(expect.objectContaining({ code: 'route_not_found' }) as Error);
});
