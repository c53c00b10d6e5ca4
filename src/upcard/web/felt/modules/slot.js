/** The place of one card. Only a card that comes while somebody looks is seen coming. */

export const CardSlot = {
  inject: ["isStill"],
  props: { pickable: Boolean },
  created() {
    this.fresh = !this.isStill();
  },
  template: `<div class="uf-slot" :class="{ 'uf-pickable': pickable }"><div class="uf-slot-in" :class="{ 'uf-fresh': fresh }"><slot></slot></div></div>`,
};
