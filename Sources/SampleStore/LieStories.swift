extension StoryBook {
  /// Liars, and the honest crowd that refutes them: buyers of small coins in the USA for 0.99.
  func lieStories() -> [[SampleCustomer]] {
    crowd() + proCrowd() + [cent(), thousandfold(), hundredfold(), strangeCurrency()]
  }

  /// Fourteen honest buyers around the lies.
  private func crowd() -> [[SampleCustomer]] {
    (0..<14).map { number in
      let digits = String(100 + number * 2 + 1).dropFirst()
      return tell(70 + number, "crowd-\(number + 1)", .usa) { story in
        story.buys(.coinsSmall, at: "2021-04-\(digits) 12:00:00")
      }
    }
  }

  /// Six who look at the monthly plan before its rise and six after it, so that its price history
  /// stands on more than one pair of eyes.
  private func proCrowd() -> [[SampleCustomer]] {
    (0..<12).map { number in
      let month = number < 6 ? "04-1\(number)" : "06-1\(number - 6)"
      return tell(84 + number, "onlooker-\(number + 1)", .usa) { story in
        story.looks(at: .proMonthly, at: "2021-\(month) 09:00:00")
      }
    }
  }

  /// A tampered client reports 0.01: outlier.
  ///
  /// The amount comes from the honest ones.
  private func cent() -> [SampleCustomer] {
    tell(96, "liar-cent", .usa) { story in
      let row = story.buys(.coinsSmall, at: "2021-04-14 15:00:00", isReported: false)
      story.reports(row, lie: .cent)
    }
  }

  /// Thousandths sent as dollars, 990.00: unit_error.
  private func thousandfold() -> [SampleCustomer] {
    tell(97, "liar-thousandths", .usa) { story in
      let row = story.buys(.coinsSmall, at: "2021-04-15 15:00:00", isReported: false)
      story.reports(row, lie: .thousandfold)
    }
  }

  /// Cents sent as dollars, 99.00: unit_error.
  private func hundredfold() -> [SampleCustomer] {
    tell(98, "liar-cents", .usa) { story in
      let row = story.buys(.coinsSmall, at: "2021-04-16 15:00:00", isReported: false)
      story.reports(row, lie: .hundredfold)
    }
  }

  /// A currency that does not exist, in a storefront that many know: currency_mismatch.
  private func strangeCurrency() -> [SampleCustomer] {
    tell(99, "liar-currency", .usa) { story in
      let row = story.buys(.coinsSmall, at: "2021-04-17 15:00:00", isReported: false)
      story.reports(row, lie: .currency("BFD"))
    }
  }
}
