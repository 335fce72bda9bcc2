/** All that a test of an extension (src/extensions/NAME/test) may import of the product's tests. It is kept as src/extension-api.ts is. */
export { startApp, type TestApp } from './support/app.js';
export { aKey, aTenant } from './support/builders.js';
export { byPerson } from './support/by-person.js';
export { Client } from './support/client.js';
export { aVisitor, aVisitorOf } from './support/console.js';
export { createDatabase, rowsOf } from './support/database.js';
export { describeResource } from './support/describe-resource.js';
export { startDocumentedApp, type DocumentedApp } from './support/documented-app.js';
export { eventually } from './support/eventually.js';
export { type ExtensionFacts } from './support/extension-facts.js';
export { describeRelatedProjects } from './support/related-projects.js';
export { openReports, rule } from './support/reports.js';
export { callTool, connectTools } from './support/tools.js';
