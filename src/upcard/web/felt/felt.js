export { default } from "upcard-felt";
