// A receiver in a process of its own. It answers at once, except under /hang, where it never answers. GET /count returns how many
// requests it was sent.
import { createServer } from 'node:http';

let count = 0;
const server = createServer((request, response) => {
  if (request.url === '/count') return void response.end(String(count));
  request.resume().on('end', () => {
    if (request.url === '/hang') return;
    count += 1;
    response.end();
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1');
