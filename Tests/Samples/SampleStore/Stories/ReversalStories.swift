extension SampleStories {
  /// Adds the stories about refunds, reversed refunds, and upgrades with and without a cancellation
  /// date.
  mutating func reversalStories() {
    // The second month is refunded nine days after it began.
    addStory(41, "refund", .usa) { story in
      let first = story.buys(.proMonthly, at: "2021-05-11 10:00:00")
      let second = story.renews(first)
      story.sends(at: "2021-06-12 09:00:00")
      story.cancels(second, at: "2021-06-20 15:30:00")
      story.expects(second, at: "2021-06-20 15:30:00") { $0.willRenew = false }
      story.sends(at: "2021-06-22 09:00:00")
    }

    // Two months are refunded at the same moment; one of them had already ended.
    addStory(42, "refund-after-expiry", .gbr) { story in
      let first = story.buys(.proMonthly, at: "2021-03-03 10:00:00")
      let second = story.renews(first)
      story.cancels(first, at: "2021-04-19 11:00:00", reason: 1)
      story.cancels(second, at: "2021-04-19 11:00:00", reason: 1)
      story.expects(second, at: "2021-04-19 11:00:00") { $0.willRenew = false }
      story.sends(at: "2021-05-01 09:00:00")
    }

    // Refunded in June, and the refund is reversed in July: the later response has no cancellation.
    addStory(43, "refund-reversed", .usa) { story in
      let first = story.buys(.proYearly, at: "2021-05-29 10:00:00")
      story.cancels(first, at: "2021-06-05 12:00:00", until: "2021-07-10 12:00:00")
      story.sends(at: "2021-06-15 09:00:00")
      story.sends(at: "2021-07-20 09:00:00")
    }

    // The first paid month after a trial is refunded: the conversion stays, with its refund date.
    addStory(44, "refund-of-conversion", .usa) { story in
      let trial = story.buys(
        .proMonthly, .trial, at: "2021-08-01 10:00:00",
        offer: story.introduction(.proMonthly, .usa))
      let paid = story.renews(trial)
      story.cancels(paid, at: "2021-08-12 10:00:00")
      story.expects(paid, at: "2021-08-12 10:00:00") { $0.willRenew = false }
      story.sends(at: "2021-08-20 09:00:00")
    }

    // A non-consumable purchase is refunded.
    addStory(45, "refund-of-purchase", .usa) { story in
      let row = story.buys(.lifetime, at: "2021-04-02 10:00:00")
      story.cancels(row, at: "2021-04-04 08:00:00")
      story.sends(at: "2021-04-30 09:00:00")
    }

    // From the cheaper to the better plan in the middle of a month: `is_upgraded` without a
    // cancellation.
    addStory(46, "upgrade", .deu) { story in
      let first = story.buys(.plusMonthly, at: "2021-04-01 10:00:00")
      story.change(first) { $0.upgradedAt = Story.moment("2021-04-11 10:00:02") }
      story.returns(.proMonthly, at: "2021-04-11 10:00:00", after: first)
    }

    // The same upgrade in the older form: a cancellation date and `is_upgraded`, but no refund.
    addStory(47, "upgrade-old-style", .usa) { story in
      let first = story.buys(.proMonthly, at: "2021-02-05 10:00:00")
      story.change(first) { $0.upgradedAt = Story.moment("2021-02-15 10:00:02") }
      story.cancels(first, at: "2021-02-15 10:00:02")
      story.returns(.proYearly, at: "2021-02-15 10:00:00", after: first)
    }

    // The renewal was charged hours ahead; then the customer upgraded before its period began.
    //
    // The renewal is cancelled before its purchase date, and all of its amount is refunded.
    addStory(48, "upgrade-precharged", .gbr) { story in
      let first = story.buys(.proMonthly, at: "2021-05-06 16:48:00")
      let ahead = story.renews(first)
      let upgrade = "2021-06-06 11:28:00"
      story.change(first) { $0.upgradedAt = Story.moment(upgrade) + 2000 }
      story.change(ahead) {
        $0.knownFrom = Story.moment("2021-06-06 09:00:00")
        $0.upgradedAt = Story.moment(upgrade) + 2000
      }
      story.cancels(ahead, at: upgrade)
      story.returns(.proYearly, at: upgrade, after: first)
      story.sends(at: "2021-07-01 09:00:00")
    }

    // Upgraded during a trial: the conversion is to another product, and the trial refunds nothing.
    addStory(49, "upgrade-in-trial", .usa) { story in
      let trial = story.buys(
        .proMonthly, .trial, at: "2021-10-05 10:00:00",
        offer: story.introduction(.proMonthly, .usa))
      story.change(trial) { $0.upgradedAt = Story.moment("2021-10-08 10:00:02") }
      story.returns(.proYearly, at: "2021-10-08 10:00:00", after: trial)
    }
  }
}

extension Story {
  /// Refunds or cancels a row at a moment; with `until`, Apple reverses the refund at that time.
  mutating func cancels(_ row: Int, at time: String, until: String? = nil, reason: Int64 = 0) {
    change(row) {
      $0.cancelledAt = Self.moment(time)
      $0.cancelledUntil = until.map(Self.moment) ?? .max
      $0.cancellationReason = reason
    }
  }
}
