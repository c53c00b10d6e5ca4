export { PlayingCard as default } from "upcard-felt";
