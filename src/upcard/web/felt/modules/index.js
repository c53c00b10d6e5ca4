export { default } from "./table.js";
export { FeltPicture } from "./picture.js";
export { PlayingCard } from "./cards.js";
