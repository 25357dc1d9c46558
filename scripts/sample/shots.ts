/**
 * The shot list. One line a photo:
 * group | number | scene | variant | shape (l, p, s) | people | match minute | tags | via (csv, iptc) | rating | headline | what the caption adds
 * People: p9 = number 9 of Port Averley, n9 = number 9 of Norrvika. Minutes before kick-off are negative, 200 and more come after the end.
 */
export const SHOT_LIST = `
league|0007|queue|0|l||-70|arrival,wide,calm|csv||Gates open at Lantern Quay|Supporters queue at the turnstiles an hour before the coast derby.
league|0019|kitRoom|1|l|p6,p7,p9,p10|-62|detail,calm|csv|3|Shirts ready in the home dressing room|The shirts of Wierzbnik, Núñera, Podlesek and João Valdremo hang ready.
league|0031|ballDetail|0|l||-35|detail,close-up|csv||The match ball on the touchline|The match ball waits before the warm-up.
league|0048|fromBehind|0|p|p9|-20|warm-up,from-behind,focus|csv|4|Podlesek takes in the crowd|Žan Podlesek looks up at the stand during the warm-up.
league|0056|tunnel|0|l|p4,p9,p7,p10,p1|-4|walk-out,tension|csv|4|Out of the dark|Captain Ante Šimrak leads the side through the tunnel.
league|0063|lineUp|0|l|p1,p2,p3,p4,p5,p6,p7,p8,p9,p10,p11|-2|line-up,team,pride|csv|3|The starting eleven|Port Averley line up before kick-off.
league|0071|wideStadium|0|l||3|kick-off,wide|csv|4|Dusk falls over Lantern Quay|A full house for the coast derby on matchday 28.
league|0102|duel|0|l|p10|14|action,focus|iptc|3|João Valdremo slips his marker|João Valdremo carries the ball out of midfield.
league|0123|strike|0|l|p9|23|action,goal|csv|5|Podlesek strikes for 1-0|Žan Podlesek shoots Port Averley into the lead in the 23rd minute.
league|0126|celebration|0|l|p9,p10|23|celebration,goal,joy|csv|5|The Heron takes off|Žan Podlesek celebrates the opening goal with João Valdremo.
league|0129|supporters|0|l||24|crowd,joy,celebration|csv|3|The Lantern End erupts|Home supporters celebrate the first goal.
league|0150|aerial|0|p|p5|33|action|iptc|3|Ezekwuru wins it in the air|Obinna Ezekwuru rises above the Brackmoor attack.
league|0171|booking|0|l|p6|41|tension,close-up|csv|2|Yellow for Wierzbnik|Łukasz Wierzbnik sees yellow for a late challenge.
league|0188|bench|0|l|p19|46|half-time,calm|iptc|2|Baptiste-Joyce warms up|Wendell Baptiste-Joyce gets ready beside the head coach.
league|0203|save|0|l|p1|49|action|csv|4|Full stretch|Tomáš Vrbický tips a long shot over the bar.
league|0214|dejection|0|p|p4|51|disappointment,close-up|csv|3|Brackmoor level|Captain Ante Šimrak reacts to the equaliser.
league|0240|corner|1|l|p8|66|action,focus|csv|3|O'Dwerry from the corner|Callum O'Dwerry takes a corner under the floodlights.
league|0266|strike|1|l|p7|78|action,goal|csv|5|Núñera wins the derby|Mateo Núñera Roldán hits the winner in the 78th minute.
league|0269|celebration|1|l|p7|78|celebration,goal,joy|csv|5|On his knees for the winner|Mateo Núñera Roldán slides in front of the away corner.
league|0271|embrace|0|l|p7,p9,p10,p8|79|celebration,joy,team|iptc|4|All together|Núñera, Podlesek, João Valdremo and O'Dwerry celebrate the 2-1.
league|0290|scoreboardDetail|0|l||90|detail,full-time|csv|3|It stays 2-1|The scoreboard at Lantern Quay after the final whistle.
league|0301|dejection|1|l|p15|90|full-time,calm|iptc||Hands on knees|Hlynur Þorvarðsson after ninety minutes of defending.
cup|0004|trophyDetail|0|p||-90|trophy,detail|csv|4|The crown of the north|The Polar Crown Cup on its plinth before the final.
cup|0011|queue|1|l||-75|arrival,wide,rain|iptc||Umbrellas at Norrskensvallen|Supporters reach the gates in the rain.
cup|0024|kitRoom|2|l|n9,n7,n10|-60|detail,calm|iptc|3|Three shirts, one final|The shirts of Strömqvall, Mokwana and Amanogi.
cup|0037|tunnel|1|l|n9,n1,n7,n4,n11,n10|-3|walk-out,tension|csv|4|Ready|Captain Ebba Strömqvall waits for the signal to walk out.
cup|0045|wideStadium|1|l||1|kick-off,wide|csv|4|Floodlights and rain|The final kicks off in front of 15,800 at Norrskensvallen.
cup|0077|dejection|2|p|n1|12|disappointment,close-up|iptc|2|Behind early|Ingrid Håkvall after the first Eldfjord goal.
cup|0091|duel|1|l|n7|27|action|csv|4|Lightning down the wing|Thandeka Mokwana leaves her marker behind.
cup|0103|strike|3|l|n9|38|action,goal|csv|5|Strömqvall equalises|Ebba Strömqvall drives the ball home for 1-1.
cup|0105|celebration|2|l|n9,n7|38|celebration,goal,joy|csv|5|Leap of joy|Ebba Strömqvall and Thandeka Mokwana celebrate the equaliser.
cup|0118|ballDetail|1|l||46|detail,close-up,half-time|iptc|3|Rain on leather|The match ball at half-time.
cup|0137|strike|4|p|n10|55|action,goal|csv|5|Amanogi turns the final|Yuzuki Amanogi curls in the 2-1.
cup|0139|celebration|4|l|n10,n11|55|celebration,joy|iptc|4|Thank you|Yuzuki Amanogi points to Priscila Duarte-Leão after her pass.
cup|0150|aerial|1|l|n4|63|action|csv|3|Dovhalets clears|Kateryna Dovhalets heads a cross away.
cup|0158|booking|1|l|n6|69|tension|csv|2|Booked|Noor ter Braakveld receives a yellow card.
cup|0170|corner|0|l|n8|84|action,tension|iptc|3|Last chances|Élodie Marchevault asks for movement in the box.
cup|0181|save|1|l|n1|86|action|csv|5|Håkvall keeps them in it|Ingrid Håkvall stretches for the save of the night.
cup|0188|strike|0|l|n7|88|action,goal|csv|5|Mokwana decides the cup|Thandeka Mokwana makes it 3-2 two minutes from time.
cup|0190|embrace|1|l|n7,n9,n10,n11|88|celebration,joy,from-behind|csv|4|Four backs, one feeling|Mokwana, Strömqvall, Amanogi and Duarte-Leão after the winner.
cup|0197|scoreboardDetail|1|l||90|detail,full-time|iptc||3-2|The final score at Norrskensvallen.
cup|0204|trophyLift|0|l|n9,n7,n10,n1,n4|205|trophy,celebration,joy,team|csv|5|Champions of the north|Captain Ebba Strömqvall lifts the Polar Crown Cup.
cup|0207|trophyLift|1|p|n9,n11,n2|206|trophy,joy,portrait|csv|5|Silver and confetti|Ebba Strömqvall with the trophy, Priscila Duarte-Leão and Saga Lindqvarn beside her.
cup|0213|supporters|0|l||208|crowd,joy|iptc|4|Norrsken in May|The home end celebrates the first cup in the history of the club.
cup|0219|atTheTouchline|0|l|n16|60|action,focus|csv|3|The other camera|The club photographer follows Zuzanna Śliwacka along the line.
cup|0223|atTheTouchline|1|l|n17|73|focus|csv|2|Waiting for the goal|The club photographer at the corner of the pitch.
charity|0002|inTheStand|0|l||-45|arrival,crowd,pride|csv|4|A guest from far above|The guest of honour takes her seat among the home supporters.
charity|0006|onTheBigScreen|0|l||-30|wide,pride|csv|3|Welcome to Lantern Quay|The big screen greets the guest of honour of the Lighthouse Match.
charity|0010|pressConference|0|l||-120|press-conference,portrait|csv|4|Press conference before the Lighthouse Match|The guest of honour and the head coach speak about the charity day.
charity|0012|pressConference|1|l|p4|-115|press-conference,joy|csv|4|Captain and guest|Ante Šimrak with the guest of honour in the press room.
charity|0014|pressConference|2|p||-110|press-conference,close-up|iptc|3|A good question|The guest of honour answers questions in the press room.
charity|0021|presentation|0|l|p9,n7|-12|line-up,pride,team|csv|5|Before kick-off|The guest of honour meets Žan Podlesek and Thandeka Mokwana.
charity|0023|presentation|1|l|n9,p4|-11|line-up,pride|csv|4|Two captains|The guest of honour with captains Ebba Strömqvall and Ante Šimrak.
charity|0026|bothAtTheLine|0|l||-9|trophy,joy|csv|4|Smile, please|The club photographer at work beside the guest of honour and the Lighthouse trophy.
charity|0028|bothAtTheLine|1|l||-8|trophy|csv|3|Both sides of the lens|Guest of honour and club photographer at the touchline.
charity|0034|wideStadium|2|l||2|kick-off,wide,sunshine|iptc|4|Summer at the Quay|The Lighthouse Match kicks off in sunshine.
charity|0052|duel|2|l|n11,p2|17|action|csv|4|Fair but firm|Priscila Duarte-Leão against Iker Goñizalde.
charity|0060|celebration|3|l|n9,p7|30|celebration,joy,goal|csv|4|Mixed sides, shared joy|Ebba Strömqvall and Mateo Núñera Roldán celebrate together.
charity|0066|atTheTouchline|2|l|p17|37|focus|iptc|3|Eye on the ball|The club photographer with Emre Çağlıtürk in the background.
charity|0071|inTheStand|1|l||46|half-time,crowd,joy|csv|3|Half-time in the stand|The guest of honour enjoys the break among the supporters.
charity|0079|aerial|2|l|p15,n5|58|action|csv|3|Iceland against Iceland|Hlynur Þorvarðsson and Ástríður Hafberg meet in the air.
charity|0084|corner|2|p|p23|61|action,joy|iptc|2|From the flag|Youssef El Amraji asks the stand for noise before his corner.
charity|0090|inTheStand|2|p||75|portrait,joy|csv|4|On the edge of the seat|The guest of honour follows the last quarter of an hour.
charity|0099|fromBehind|1|l|n17,p21|90|from-behind,calm,full-time|iptc|4|Side by side|Marit Sørbøen and Răzvan Ștefuleac applaud the stands.
charity|0104|presentation|2|l|n10,p10|202|trophy,joy|csv|5|Two tens|The guest of honour with Yuzuki Amanogi and João Valdremo after the 3-3.
charity|0106|onTheBigScreen|1|l||204|full-time,wide|iptc|2|Thank you and good-bye|The guest of honour on the big screen after the final whistle.
charity|0109|trophyLift|3|s|p4,n9,p7,n7,n10|206|trophy,joy,team|csv|5|One trophy for all|Ante Šimrak lifts the Lighthouse trophy among players of both clubs.
pav-training|0003|training|0|l|p9,p18,p3|0|training,wide|csv|3|Thursday session|Žan Podlesek, Seong Jae-won and Lasse Øvregård between the cones.
pav-training|0008|training|1|l|p10,p16,p12|20|training,action|iptc|2|Bibs on|João Valdremo leads the rondo drill.
pav-training|0013|ballDetail|2|s||35|training,detail|csv||Ball work|One of forty balls of the morning.
nvk-training|0005|training|2|l|n9,n13,n20|0|training,joy|iptc|3|Cold morning, warm feet|Ebba Strömqvall, Päivi Kortelahti and Đào Thuỳ Miên at the first session of the week.
nvk-training|0009|training|3|l|n22,n18|25|training|iptc|2|Sprint drills|Siobhán D'Arcy-Quinlan and Keilani Kaho'okele push each other.
pav-media|0009|portrait|0|p|p9|0|portrait,focus|csv|5|Žan Podlesek|Media day portrait.
pav-media|0010|portrait|1|p|p10|10|portrait,joy|iptc|4|João Valdremo|Media day portrait.
pav-media|0004|portrait|3|s|p4|20|portrait|csv|4|Ante Šimrak|Media day portrait of the captain.
pav-media|0011|portrait|2|p|p11|30|portrait|iptc|3|Ismaël N'Dombasi|Media day portrait.
pav-media|0014|portrait|5|l|p14|40|portrait|iptc|3|Hiroto Kanzawa|Media day portrait.
nvk-media|0009|portrait|4|p|n9|0|portrait,pride|csv|5|Ebba Strömqvall|Media day portrait of the captain.
nvk-media|0007|portrait|0|p|n7|10|portrait|iptc|4|Thandeka Mokwana|Media day portrait.
nvk-media|0014|portrait|1|l|n14|20|portrait|iptc|3|Gréta Szöllőhegyi|Media day portrait.
nvk-media|0019|portrait|3|s|n19|30|portrait|csv|3|Amina Bensalhia|Media day portrait.
nvk-media|0015|portrait|2|p|n15|40|portrait,joy|iptc|3|Adwoa Frimpomaa|Media day portrait.`;
