"""The coach: what decisions are worth at a live table, what mistakes cost, and drills.

It knows nothing of servers. A `Coach` is asked with the state of a table, the question that it
waits for, and a `Seen`, the fold of what everybody saw of its events.
"""

from upcard.coach.advice import KINDS as KINDS
from upcard.coach.advice import ActionValue as ActionValue
from upcard.coach.advice import CoachAdvice as CoachAdvice
from upcard.coach.advice import Mistake as Mistake
from upcard.coach.advice import judge as judge
from upcard.coach.coach import Coach as Coach
from upcard.coach.drill import Drill as Drill
from upcard.coach.drill import DrillAnswer as DrillAnswer
from upcard.coach.drill import DrillHand as DrillHand
from upcard.coach.drill import drill_kinds as drill_kinds
from upcard.coach.follow import Follower as Follower
from upcard.coach.follow import review_of as review_of
from upcard.coach.next_round import NextRound as NextRound
from upcard.coach.next_round import WagerWorth as WagerWorth
from upcard.coach.review import SessionReview as SessionReview
from upcard.coach.review import Summary as Summary
from upcard.coach.review import together as together
from upcard.coach.seen import Seen as Seen
