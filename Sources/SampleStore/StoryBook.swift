/// stub
struct StoryBook {
  let plan: StorePlan
  func customers() -> [SampleCustomer] { [] }
}
