// Broadcasts bytes with ws, as in its documentation.
import { WebSocket, WebSocketServer } from 'ws';
import { interval, payload, port, ready } from './payload.mjs';

const server = new WebSocketServer({ host: '127.0.0.1', port, backlog: 1024 });
server.on('listening', ready);
server.on('connection', (socket) => socket.on('error', console.error));
setInterval(() => {
  const data = payload();
  for (const client of server.clients) {
    if (client.readyState === WebSocket.OPEN) {
      client.send(data);
    }
  }
}, interval);
