extension SampleStories {
  /// Adds the stories about renewals: price changes, lapses, declined cards, changed plans, moves
  /// to another country, and month ends.
  mutating func renewalStories() {
    // Consent to 5.99 was requested and given, and a response in between shows it.
    addStory(21, "consent-seen", .usa) { story in
      let offer = story.introduction(.plusMonthly, .usa)
      let intro = story.buys(.plusMonthly, .intro, at: "2021-02-10 10:00:00", offer: offer)
      let old = story.renews(intro, times: 2)
      story.expects(old, at: "2021-07-03 00:00:00") { $0.consent = 0 }
      story.expects(old, at: "2021-07-05 12:00:00") { $0.consent = 1 }
      story.sends(at: "2021-07-06 09:00:00")
      let new = story.renews(old, times: 2)
      story.expects(new, at: "2021-07-10 10:00:00")
      story.sends(at: "2021-09-05 09:00:00")
    }

    // Consent was given, but no response shows it: unresolved between 4.99 and 5.99.
    addStory(22, "consent-unseen", .usa) { story in
      let first = story.buys(.plusMonthly, at: "2021-05-12 10:00:00")
      let old = story.renews(first)
      let new = story.renews(old, times: 2)
      story.expects(new, at: "2021-07-12 10:00:00")
      story.sends(at: "2021-09-06 09:00:00")
    }

    // The customer does not give consent: the subscription ends with expiration intent 3.
    addStory(23, "consent-refused", .usa) { story in
      let first = story.buys(.plusMonthly, at: "2021-05-15 10:00:00")
      let old = story.renews(first)
      story.expects(old, at: "2021-07-03 00:00:00") { $0.consent = 0 }
      story.expects(old, at: "2021-07-15 10:00:00") {
        $0.willRenew = false
        $0.intent = 3
      }
      story.sends(at: "2021-08-01 09:00:00")
    }

    // A weekly plan falls from 1.49 to 1.19: all subscribers pay less from the next renewal on.
    //
    // The catalogue lacks the cut; two customers' later reports show it.
    addStory(24, "price-cut", .gbr) { story in
      let offer = story.introduction(.newsWeekly, .gbr)
      let first = story.buys(.newsWeekly, .intro, at: "2021-06-01 10:00:00", offer: offer)
      let fourth = story.renews(first, times: 3, .intro, offer: offer)
      story.renews(fourth, times: 10)
      story.sends(at: "2021-09-08 09:00:00")
    }
    let days = ["07-02", "07-03", "08-09", "08-10", "08-11"]
    for (number, day) in days.enumerated() {
      addStory(25 + number, "price-cut-witness-\(number + 1)", .gbr) { story in
        story.viewsPrice(at: .newsWeekly, at: "2021-\(day) 18:00:00")
      }
    }

    // A yearly plan in yen falls from 7,800 to 6,800; a buyer after the cut reports the new price.
    addStory(30, "price-cut-yen", .jpn) { story in
      story.buys(.proYearly, at: "2021-07-07 03:00:00")
    }

    // The subscription is turned off and expires; the customer returns three weeks later and pays
    // the new price, because a lapse ends the old price of 9.99.
    addStory(31, "lapse-and-return", .usa) { story in
      let first = story.buys(.proMonthly, at: "2021-03-05 10:00:00")
      let last = story.renews(first, times: 2, paid: 9_990)
      story.expects(last, at: "2021-05-20 10:00:00") { $0.willRenew = false }
      story.sends(at: "2021-06-02 09:00:00")
      let back = story.returns(
        .proMonthly, at: "2021-06-26 10:00:00", after: last, isReported: false)
      story.renews(back)
      story.sends(at: "2021-08-12 09:00:00")
    }

    // The card was declined in a grace period: access continued, and the paid row begins where the
    // previous row ended.
    addStory(32, "grace-recovered", .usa) { story in
      let first = story.buys(.proMonthly, at: "2021-03-18 10:00:00")
      let last = story.renews(first)
      story.expects(last, at: "2021-05-18 10:00:00") {
        $0.intent = 2
        $0.retry = 1
        $0.graceUntil = Story.moment("2021-06-03 10:00:00")
      }
      story.sends(at: "2021-05-20 09:00:00")
      let recovered = story.renews(last, paid: 9_990)
      story.change(recovered) { $0.knownFrom = Story.moment("2021-05-27 14:00:00") }
      story.expects(recovered, at: "2021-05-27 14:00:00")
      story.sends(at: "2021-06-10 09:00:00")
    }

    // The card was declined just before the last export: the period is unpaid, and access
    // continues.
    addStory(37, "grace-now", .usa) { story in
      let first = story.buys(.proMonthly, at: "2021-11-22 10:00:00")
      story.expects(first, at: "2021-12-22 10:00:00") {
        $0.intent = 2
        $0.retry = 1
        $0.graceUntil = Story.moment("2022-01-07 10:00:00")
      }
      story.sends(at: "2021-12-28 09:00:00")
    }

    // The card was declined without a grace period. The customer paid three weeks later, and the
    // period begins with the payment.
    //
    // This is not a lapse, so the old price of 9.99 stays.
    addStory(33, "retry-recovered", .usa) { story in
      let first = story.buys(.proMonthly, at: "2021-03-22 10:00:00")
      let last = story.renews(first)
      story.expects(last, at: "2021-05-22 10:00:00") {
        $0.intent = 2
        $0.retry = 1
      }
      story.sends(at: "2021-05-30 09:00:00")
      let recovered = story.returns(
        .proMonthly, at: "2021-06-12 17:31:00", after: last, isReported: false)
      story.change(recovered) { $0.paid = 9_990 }
      story.sends(at: "2021-07-01 09:00:00")
    }

    // A change to a cheaper plan at the next renewal; `auto_renew_product_id` announces it.
    addStory(34, "downgrade", .deu) { story in
      let first = story.buys(.proMonthly, at: "2021-07-01 10:00:00")
      story.expects(first, at: "2021-07-20 10:00:00") {
        $0.nextProduct = SampleProduct.plusMonthly.rawValue
      }
      story.sends(at: "2021-07-22 09:00:00")
      story.returns(
        .plusMonthly, at: "2021-08-01 10:00:00", after: first, isReported: false)
      story.viewsPrice(at: .plusMonthly, at: "2021-08-03 18:00:00")
    }

    // The customer moves from Germany to the United Kingdom and pays in euros before, in pounds
    // after the move.
    addStory(35, "moved", .deu) { story in
      story.change {
        $0.homes.append(
          Account.Home(
            from: Story.moment("2021-08-15 00:00:00"), storefront: SampleMarket.gbr.rawValue))
      }
      let first = story.buys(.proMonthly, at: "2021-07-02 10:00:00")
      let last = story.renews(first)
      story.viewsPrice(at: .proMonthly, at: "2021-09-20 18:00:00")
      story.renews(last, times: 2)
      story.sends(at: "2021-10-10 09:00:00")
    }

    // Bought on January 31: the month ends on February 28, in Pacific time.
    //
    // Daylight-saving time moves the next rows by an hour in UTC.
    addStory(36, "month-end", .usa) { story in
      let first = story.buys(.proMonthly, at: "2021-01-31 20:15:00")
      story.renews(first, times: 5, paid: 9_990)
      story.sends(at: "2021-07-10 09:00:00")
    }
  }
}
