export { FeltPicture as default } from "upcard-felt";
