// The process of Strapi, for strapi.js. It writes a token that has all rights into its folder.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const folder = process.env.STRAPI;
const { createStrapi } = createRequire(join(folder, 'package.json'))('@strapi/strapi');
process.chdir(folder);
const app = await createStrapi({ appDir: folder, distDir: folder }).start();
const token = { name: 'Bench', description: '', type: 'full-access', lifespan: null };
const { accessKey } = await app.service('admin::api-token').create(token);
writeFileSync(join(folder, 'token'), accessKey);
