/** The least a server can do: the bytes of one file, read for each request. Its path is the argument; it prints its URL. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const [path = ''] = process.argv.slice(2);
const server = createServer((_request, response) => {
  readFile(path).then(
    (bytes) => response.writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Length': bytes.length }).end(bytes),
    () => response.writeHead(500).end(),
  );
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address !== 'string') process.stdout.write(`http://127.0.0.1:${address.port}/\n`);
});
