import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';

const BUCKET = 'acme-claims';
/** The only account that the server knows. */
const ACCOUNT = { S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' };
const OBJECT = '._S3rver_object';

/** A real S3-compatible server, which checks signatures, with one bucket in a folder. It can be stopped and started again. */
export async function startS3() {
  const directory = await mkdtemp(join(tmpdir(), 'claims-s3-'));
  const bucket = { name: BUCKET, configs: [] };
  const make = (port: number): S3rver => new S3rver({ address: '127.0.0.1', port, silent: true, directory, configureBuckets: [bucket] });
  let server = make(0);
  const { port } = await server.run();
  /** The keys of all objects. */
  const keys = async (): Promise<string[]> => {
    const paths = await readdir(join(directory, BUCKET), { recursive: true });
    return paths.filter((path) => path.endsWith(OBJECT)).map((path) => path.slice(0, -OBJECT.length));
  };
  const fileOf = (key: string): string => join(directory, BUCKET, `${key}${OBJECT}`);
  const stop = (): Promise<void> => server.close();
  const start = async (): Promise<void> => {
    server = make(port);
    await server.run();
  };
  const env = { ...ACCOUNT, S3_URL: `http://127.0.0.1:${port}/${BUCKET}`, S3_REGION: 'eu-central-1' };
  const remove = async (): Promise<void> => {
    await stop().catch(() => undefined);
    await rm(directory, { recursive: true });
  };
  return { env, keys, fileOf, bytesOf: (key: string) => readFile(fileOf(key)), stop, start, remove };
}
