/** From what, by what and how the files of a release were made: a statement of in-toto with the predicate of SLSA 1.0. */
import { git, read, sha256, versionOf } from './files.js';

export const STATEMENT = 'https://in-toto.io/Statement/v1';
export const PREDICATE = 'https://slsa.dev/provenance/v1';
export const LOCK = 'package-lock.json';

/** Who builds is known to the machine that builds. Without settings it says that it was somebody's own. */
const settings = (env) => ({
  builder: env.RELEASE_BUILDER_ID || 'urn:claims-api:builder:unknown',
  buildType: env.RELEASE_BUILD_TYPE || 'urn:claims-api:build:npm-run-release',
  source: env.RELEASE_SOURCE_URI || 'urn:claims-api:source',
  invocation: env.RELEASE_INVOCATION_ID,
});

/** `files` are `[name, content]`. There is no time in it: the same commit gives the same statement on the same builder. */
export function provenanceOf(root, files, { tests, env = process.env }) {
  const { builder, buildType, source, invocation } = settings(env);
  return {
    _type: STATEMENT,
    subject: files.map(([name, content]) => ({ name, digest: { sha256: sha256(content) } })),
    predicateType: PREDICATE,
    predicate: {
      buildDefinition: {
        buildType,
        externalParameters: { version: versionOf(root), source },
        internalParameters: { node: process.version, tests },
        resolvedDependencies: [
          { uri: source, digest: { gitCommit: git(root, 'rev-parse', 'HEAD') } },
          { name: LOCK, digest: { sha256: sha256(read(root, LOCK)) } },
        ],
      },
      runDetails: { builder: { id: builder }, ...(invocation && { metadata: { invocationId: invocation } }) },
    },
  };
}
