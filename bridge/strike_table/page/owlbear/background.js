// Runs unseen for as long as somebody has the room open: keeps the scene as the table shows the fight.

import { Keeper } from "./keeper.js";
import { Room } from "./room.js";
import { follow, Told } from "./told.js";

const told = new Told({ changed: () => keeper.changed(), happened: (result) => keeper.say(result) });
const room = new Room(window);
const keeper = new Keeper(room, told);
new BroadcastChannel("strike").onmessage = () => keeper.anew(); // the panel's button

await room.opened;
follow(told, () => {});
await keeper.begin();
