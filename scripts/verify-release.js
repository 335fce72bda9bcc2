/** `node scripts/verify-release.js FOLDER` says whether the files of a release are as they were made. It needs nothing but Node. */
import { releaseProblems } from './release/verify.js';

const [folder = 'release'] = process.argv.slice(2);
let problems;
try {
  problems = releaseProblems(folder);
} catch (error) {
  problems = [`${folder} cannot be read: ${error.message}`];
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${folder}: sums, provenance, lists of parts and archives agree.`);
