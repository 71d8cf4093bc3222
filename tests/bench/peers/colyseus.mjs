// Broadcasts bytes to a Colyseus room, as in its documentation.
import { Room, Server } from '@colyseus/core';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { interval, payload, port, ready } from './payload.mjs';

class Flock extends Room {
  seatReservationTimeout = 120; // s; the clients join one after the other

  onCreate() {
    this.setSimulationInterval(() => this.broadcastBytes('snapshot', payload()), interval);
  }
}

const server = new Server({ transport: new WebSocketTransport(), greet: false });
server.define('flock', Flock);
await server.listen(port, '127.0.0.1', 1024);
ready();
