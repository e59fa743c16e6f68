extension SampleStories {
  /// Adds the stories about offers: every kind, with every result.
  mutating func offerStories() {
    // A free trial of a week, then 9.99 per month: free_trial, customer_report, previous_renewal.
    //
    // The price rises for new subscribers in between; this customer keeps 9.99.
    addStory(1, "trial-then-paid", .usa) { story in
      let trial = story.buys(
        .proMonthly, .trial, at: "2021-03-01 09:14:03",
        offer: story.introduction(.proMonthly, .usa))
      story.renews(trial, times: 7, paid: 9_990)
      story.sends(at: "2021-10-09 07:00:00", inAppAsOf: "2021-04-20 00:00:00")
    }

    // Renewal is turned off and the trial ends; two months later the offer has the status lapsed.
    addStory(2, "trial-lapsed", .gbr) { story in
      let trial = story.buys(
        .proMonthly, .trial, at: "2021-04-04 18:00:10",
        offer: story.introduction(.proMonthly, .gbr))
      story.expects(trial, at: "2021-04-06 10:00:00") { $0.willRenew = false }
      story.expects(trial, at: "2021-04-11 18:00:10") {
        $0.willRenew = false
        $0.intent = 1
        $0.retry = 0
      }
      story.sends(at: "2021-04-20 08:30:00")
    }

    // The trial ended just before the last export: it can still convert (pending).
    addStory(3, "trial-pending", .pol) { story in
      let trial = story.buys(
        .proMonthly, .trial, at: "2021-12-20 12:00:00",
        offer: story.introduction(.proMonthly, .pol))
      story.expects(trial, at: "2021-12-21 12:00:00") { $0.willRenew = false }
      story.sends(at: "2021-12-28 09:00:00")
    }

    // The trial ended and the card was declined: Apple still tries to charge it (billing_retry).
    addStory(4, "trial-in-retry", .usa) { story in
      let trial = story.buys(
        .newsWeekly, .trial, at: "2021-12-10 15:45:00",
        offer: story.introduction(.newsWeekly, .usa))
      story.expects(trial, at: "2021-12-13 15:45:00") {
        $0.intent = 2
        $0.retry = 1
      }
      story.sends(at: "2021-12-29 20:10:00")
    }

    // A trial with both flags, as Apple sets them since 2024: it is still free.
    addStory(5, "both-flags", .usa) { story in
      let trial = story.buys(
        .proYearly, .trial, at: "2021-09-02 11:30:00",
        offer: story.introduction(.proYearly, .usa))
      story.change(trial) { $0.isIntro = true }
      story.renews(trial)
      story.sends(at: "2021-09-20 11:00:00")
    }

    // Three months at 0.99 each: the first is reported_with_purchase, the others same_offer.
    //
    // Then the regular price, which rises for all subscribers on 2021-06-14: 8.99, later 10.99.
    addStory(6, "pay-as-you-go", .deu) { story in
      let offer = story.introduction(.proMonthly, .deu)
      let first = story.buys(.proMonthly, .intro, at: "2021-01-20 06:30:00", offer: offer)
      let third = story.renews(first, times: 2, .intro, offer: offer)
      story.renews(third, times: 6)
      story.sends(at: "2021-10-01 10:00:00", inAppAsOf: "2021-10-01 10:00:00")
    }

    // Three months at 100 yen each, a currency without decimals, then 1,200 yen.
    addStory(7, "pay-as-you-go-yen", .jpn) { story in
      let offer = story.introduction(.proMonthly, .jpn)
      let first = story.buys(.proMonthly, .intro, at: "2021-02-11 23:10:00", offer: offer)
      let third = story.renews(first, times: 2, .intro, offer: offer)
      story.renews(third, times: 3)
      story.sends(at: "2021-08-01 01:00:00")
    }

    // Three months for 4.99 at once: one row, whose price must not be multiplied.
    addStory(8, "pay-up-front", .fra) { story in
      let first = story.buys(
        .proMonthly, .intro, at: "2021-02-03 20:00:00",
        offer: story.introduction(.proMonthly, .fra))
      story.renews(first, times: 2)
      story.sends(at: "2021-06-20 10:00:00")
    }

    // Three months for 2.240 dinars at once, a currency with three decimals, then 2.990 dinars.
    addStory(9, "pay-up-front-dinar", .kwt) { story in
      let first = story.buys(
        .proMonthly, .intro, at: "2021-03-15 17:00:00",
        offer: story.introduction(.proMonthly, .kwt))
      story.renews(first, times: 2)
      story.sends(at: "2021-08-10 10:00:00")
    }

    // A former subscriber returns with a free month: free_offer.
    //
    // Then the price for new subscribers applies.
    addStory(10, "free-promotion", .usa) { story in
      let first = story.buys(.proMonthly, at: "2021-01-10 08:00:00")
      let lapsed = story.renews(first)
      story.expects(lapsed, at: "2021-02-20 08:00:00") { $0.willRenew = false }
      story.sends(at: "2021-02-25 09:00:00")
      let free = story.returns(
        .proMonthly, .promo, at: "2021-06-01 08:00:00",
        offer: story.offer(.proMonthly, "freemonth"), after: lapsed)
      story.renews(free, times: 2)
      story.sends(at: "2021-09-02 09:00:00")
    }

    // Three months at half the price; only the first row has a report.
    addStory(11, "half-price", .usa) { story in
      let offer = story.offer(.proMonthly, "half3")
      let first = story.buys(.proMonthly, at: "2021-02-01 13:00:00")
      let half = story.renews(first, .promo, offer: offer)
      story.reports(half)
      let third = story.renews(half, times: 2, .promo, offer: offer)
      story.renews(third, times: 2, paid: 9_990)
      story.sends(at: "2021-07-15 09:00:00")
    }

    // A win-back offer in Poland without reports: only the catalogue has its price.
    addStory(12, "win-back", .pol) { story in
      let first = story.buys(.proMonthly, at: "2021-01-05 10:00:00")
      story.expects(first, at: "2021-01-30 10:00:00") { $0.willRenew = false }
      story.sends(at: "2021-02-02 09:00:00")
      story.returns(
        .proYearly, .promo, at: "2021-06-20 10:00:00",
        offer: story.offer(.proYearly, "winback_year"), after: first,
        isReported: false)
    }

    // A free year with an offer code, although the trial flag is true.
    addStory(13, "free-code", .usa) { story in
      story.buys(
        .proYearly, .offerCode, at: "2021-05-20 10:00:00",
        offer: story.offer(.proYearly, "GIFT YEAR"))
    }

    // An offer code with a price in the catalogue: catalogue_offer, then same_offer, then the
    // regular price.
    addStory(14, "catalogued-code", .usa) { story in
      let offer = story.offer(.proMonthly, "SPRING21")
      let first = story.buys(.proMonthly, .offerCode, at: "2021-04-12 16:20:00", offer: offer)
      let second = story.renews(first, .offerCode, offer: offer)
      story.renews(second, times: 2)
      story.sends(at: "2021-08-01 09:00:00")
    }

    // An offer code that is missing from the catalogue is unresolved: neither free nor the full
    // price.
    addStory(15, "unknown-code", .gbr) { story in
      let first = story.buys(
        .proMonthly, .offerCode, at: "2021-05-03 16:20:00",
        offer: story.offer(.proMonthly, "PODCAST"))
      story.renews(first)
      story.sends(at: "2021-07-20 09:00:00")
    }
  }
}
