// A receiver as a process of its own: answers at once, or under /hang never. GET /count says how many it was sent.
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
